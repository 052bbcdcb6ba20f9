package io.runstone.upstream;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a tool answered, as MCP's {@code CallToolResult}: {@code content}, {@code
 * structuredContent}, {@code isError}. Immutable.
 *
 * @param bytes size of the answer on the wire
 */
public record UpstreamResult(Map<String, Object> json, long bytes) {
  public UpstreamResult {
    json = Collections.unmodifiableMap(new LinkedHashMap<>(json));
  }

  /** Whether the tool says that it failed. */
  public boolean isError() {
    return Boolean.TRUE.equals(json.get("isError"));
  }

  /** Leaves the answer out, for it belongs in no log. */
  @Override
  public String toString() {
    return "UpstreamResult[" + bytes + " bytes]";
  }
}
