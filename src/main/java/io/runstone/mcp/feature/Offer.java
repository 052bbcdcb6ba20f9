package io.runstone.mcp.feature;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What both eras offer their clients.
 *
 * @param serverInfo name, version and the like, as it goes into JSON
 * @param instructions for a client's model
 * @param changes where to hear of changes
 */
public record Offer(
    Map<String, Object> serverInfo,
    String instructions,
    List<Tool> tools,
    ResourceCatalog resources,
    Changes changes) {
  public Offer {
    serverInfo = Collections.unmodifiableMap(new LinkedHashMap<>(serverInfo));
    tools = List.copyOf(tools);
  }
}
