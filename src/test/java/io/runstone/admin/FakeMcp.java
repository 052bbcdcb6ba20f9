package io.runstone.admin;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** An MCP endpoint with the sessions that a test gives it. */
final class FakeMcp implements McpOperations {
  final List<McpSession> open = new CopyOnWriteArrayList<>();

  @Override
  public List<McpSession> sessions() {
    return List.copyOf(open);
  }

  @Override
  public int listeners() {
    return 0;
  }

  @Override
  public int openRequests() {
    return 0;
  }

  @Override
  public void end(String id) {
    open.removeIf(session -> session.id().equals(id));
  }
}
