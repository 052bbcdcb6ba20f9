package io.runstone.admin;

import java.util.List;

/**
 * Upstream servers as an administrator sees them. Implementations are thread-safe; every count is a
 * snapshot that may be old when it arrives.
 */
@Described("The upstream MCP servers, and this server's sessions with them")
public interface UpstreamMXBean {

  /** Returns the sessions with upstream servers. */
  @Described("Sessions with upstream servers")
  int getSessions();

  /** Returns the requests to upstream servers that are not answered. */
  @Described("Requests to upstream servers that are not answered")
  int getRunningCalls();

  /** Returns the names of the servers. */
  @Described("The declared servers")
  List<String> getServers();

  /** Returns why the file of servers can't be used. */
  @Described(
      "Why the file of servers can't be used, so that an older reading is in force; or empty")
  String getTrouble();

  /** Lists the sessions, least recently used first. */
  @Described("Lists the sessions with upstream servers, least recently used first")
  List<UpstreamSessionSummary> listSessions();

  /** Reads the file of servers now. */
  @Described("Reads the file of servers now")
  void refresh();

  /**
   * Ends everybody's sessions with a server, with the calls that run.
   *
   * @return how many there were
   * @throws IllegalArgumentException if that is no name of a server
   */
  @Described("Ends everybody's sessions with a server at once; the next call opens another")
  int revokeServer(String server);

  /**
   * Ends a user's sessions with a server, with the calls that run.
   *
   * @return how many there were
   * @throws IllegalArgumentException if that is no name of a user or a server
   */
  @Described("Ends a user's sessions with a server at once; the next call opens another")
  int revoke(String user, String server);
}
