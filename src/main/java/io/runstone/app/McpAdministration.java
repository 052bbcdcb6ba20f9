package io.runstone.app;

import io.runstone.admin.McpOperations;
import io.runstone.http.Exchanges;
import io.runstone.mcp.McpEndpoint;
import io.runstone.mcp.feature.McpSessionId;
import java.util.List;

/** Shows the MCP endpoint to the administration, since the two don't know each other. */
record McpAdministration(McpEndpoint endpoint, Exchanges exchanges) implements McpOperations {
  @Override
  public List<McpSession> sessions() {
    return endpoint.sessions().stream()
        .map(
            session ->
                new McpSession(
                    session.user().value(),
                    session.id().value(),
                    session.version(),
                    session.idle(),
                    session.runningCalls()))
        .toList();
  }

  @Override
  public int listeners() {
    return endpoint.listeners();
  }

  @Override
  public int openRequests() {
    return exchanges.size();
  }

  @Override
  public void end(String id) {
    endpoint.end(new McpSessionId(id));
  }
}
