package io.runstone.mcp;

/** The id of an MCP session, which the SDK makes and clients send as {@code Mcp-Session-Id}. */
record McpSessionId(String value) {
  @Override
  public String toString() {
    return value;
  }
}
