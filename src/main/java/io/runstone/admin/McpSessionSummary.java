package io.runstone.admin;

import javax.management.ConstructorParameters;

/**
 * An MCP session in a list, in the form that MXBeans turn into open data; a class with getters,
 * because MXBeans know records only from Java 21 on. Immutable.
 */
public final class McpSessionSummary {
  private final String user;
  private final String id;
  private final String version;
  private final long idleSeconds;
  private final int runningCalls;

  /** Creates the summary; management clients use this to rebuild it from open data. */
  @ConstructorParameters({"user", "id", "version", "idleSeconds", "runningCalls"})
  public McpSessionSummary(
      String user, String id, String version, long idleSeconds, int runningCalls) {
    this.user = user;
    this.id = id;
    this.version = version;
    this.idleSeconds = idleSeconds;
    this.runningCalls = runningCalls;
  }

  /** Whose session it is. */
  public String getUser() {
    return user;
  }

  /** A digest of its id, for whoever knows the id itself can use the session. */
  public String getId() {
    return id;
  }

  /** The protocol version that was agreed on. */
  public String getVersion() {
    return version;
  }

  /** Seconds since the last request, or its answer. */
  public long getIdleSeconds() {
    return idleSeconds;
  }

  /** Calls that are being answered. */
  public int getRunningCalls() {
    return runningCalls;
  }
}
