package io.runstone.mcp.feature;

/** The id of an MCP session, which the SDK makes and clients send as {@code Mcp-Session-Id}. */
public record McpSessionId(String value) {
  @Override
  public String toString() {
    return value;
  }
}
