package io.runstone.admin;

import io.runstone.admin.McpOperations.McpSession;
import java.util.Comparator;
import java.util.List;

/** The MXBean over the MCP endpoint. Thread-safe. */
final class McpEndpointAdmin implements McpEndpointMXBean {
  private final McpOperations mcp;

  McpEndpointAdmin(McpOperations mcp) {
    this.mcp = mcp;
  }

  @Override
  public int getSessions() {
    return mcp.sessions().size();
  }

  @Override
  public int getListeners() {
    return mcp.listeners();
  }

  @Override
  public int getOpenRequests() {
    return mcp.openRequests();
  }

  @Override
  public List<McpSessionSummary> listSessions() {
    return mcp.sessions().stream()
        .sorted(Comparator.comparing(McpSession::idle).reversed())
        .map(
            session ->
                new McpSessionSummary(
                    session.user(),
                    SessionNames.digest(session.id()),
                    session.version(),
                    session.idle().toSeconds(),
                    session.runningCalls()))
        .toList();
  }

  @Override
  public void endSession(String id) {
    McpSession found =
        mcp.sessions().stream()
            .filter(session -> SessionNames.digest(session.id()).equals(id))
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "there is no MCP session " + id + "; listSessions shows those there are"));
    mcp.end(found.id());
  }
}
