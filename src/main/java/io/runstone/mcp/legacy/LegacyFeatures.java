package io.runstone.mcp.legacy;

import io.modelcontextprotocol.server.McpRequestHandler;
import io.runstone.mcp.feature.Features;
import java.util.Map;

/** Features that only clients with sessions can use, such as asking the client something. */
public interface LegacyFeatures extends Features {
  /** Handlers of more methods. */
  Map<String, McpRequestHandler<?>> handlers();

  /** What {@code initialize} says of them, by the name of the capability. */
  Map<String, Object> capabilities();
}
