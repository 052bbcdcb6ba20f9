package io.runstone.admin;

import java.time.Duration;
import java.util.List;

/** What the MCP endpoint lets an administrator see and do. Thread-safe. */
public interface McpOperations {
  /**
   * An MCP session.
   *
   * @param id the session's own, which is never shown
   */
  record McpSession(String user, String id, String version, Duration idle, int runningCalls) {}

  /** The sessions there are. */
  List<McpSession> sessions();

  /** How many clients without a session listen. */
  int listeners();

  /** How many requests are on their way. */
  int openRequests();

  /** Ends a session by its own id, if it is still there. */
  void end(String id);
}
