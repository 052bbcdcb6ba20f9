package io.runstone.admin;

import javax.management.ConstructorParameters;

/**
 * A session with an upstream server in a list, in the form that MXBeans turn into open data; a
 * class with getters, because MXBeans know records only from Java 21 on. Immutable.
 */
public final class UpstreamSessionSummary {
  private final String user;
  private final String server;
  private final String owner;
  private final String version;
  private final long idleSeconds;
  private final int runningCalls;

  /** Creates the summary; management clients use this to rebuild it from open data. */
  @ConstructorParameters({"user", "server", "owner", "version", "idleSeconds", "runningCalls"})
  public UpstreamSessionSummary(
      String user,
      String server,
      String owner,
      String version,
      long idleSeconds,
      int runningCalls) {
    this.user = user;
    this.server = server;
    this.owner = owner;
    this.version = version;
    this.idleSeconds = idleSeconds;
    this.runningCalls = runningCalls;
  }

  /** Whose session it is. */
  public String getUser() {
    return user;
  }

  /** With which server. */
  public String getServer() {
    return server;
  }

  /** What of the user's it belongs to; empty when everything of the user shares it. */
  public String getOwner() {
    return owner;
  }

  /** The protocol version that is spoken; empty while it is being opened. */
  public String getVersion() {
    return version;
  }

  /** Seconds since the last call began or ended. */
  public long getIdleSeconds() {
    return idleSeconds;
  }

  /** Requests that are not answered. */
  public int getRunningCalls() {
    return runningCalls;
  }
}
