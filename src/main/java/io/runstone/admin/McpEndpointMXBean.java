package io.runstone.admin;

import java.util.List;

/**
 * The MCP endpoint as an administrator sees it. Implementations are thread-safe; every count is a
 * snapshot that may be old when it arrives.
 */
@Described("The MCP endpoint of this server")
public interface McpEndpointMXBean {

  /** Returns the MCP sessions. */
  @Described("MCP sessions, of clients of the revisions that have sessions")
  int getSessions();

  /** Returns the clients without a session that listen. */
  @Described("Clients of the revision without sessions that listen for changes")
  int getListeners();

  /** Returns the requests on their way. */
  @Described("HTTP requests to /mcp and /execute whose answers are not complete, streams included")
  int getOpenRequests();

  /** Lists the MCP sessions, least recently used first. */
  @Described("Lists the MCP sessions, least recently used first")
  List<McpSessionSummary> listSessions();

  /**
   * Ends an MCP session, and the Python session that belongs to it.
   *
   * @param id as {@link #listSessions} names it
   * @throws IllegalArgumentException if there is none of that id
   */
  @Described("Ends an MCP session, and the Python session that belongs to it")
  void endSession(String id);
}
