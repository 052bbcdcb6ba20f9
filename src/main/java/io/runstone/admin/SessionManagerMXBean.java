package io.runstone.admin;

import java.util.List;

/**
 * The sessions of this server as an administrator sees them: counts, limits, and operations on one
 * session. Implementations are thread-safe; every count is a snapshot that may be old when it
 * arrives.
 *
 * <p>Operations fail with an {@link IllegalArgumentException} for a session or value that is not
 * possible, and with an {@link IllegalStateException} for what did not end in time. Exceptions
 * carry JDK types only, so that a management client needs no class of this application.
 */
@Described("The Python sessions of this server")
public interface SessionManagerMXBean {

  /** Returns the kernels of this server. */
  @Described("Kernels in use, named and other; this is what SessionsPerNode bounds")
  int getSessions();

  /** Returns the sessions that users named. */
  @Described("Sessions that users have named; this is what SessionsPerUser bounds")
  int getNamedSessions();

  /** Returns the sessions that run a cell. */
  @Described("Executions that run now")
  int getRunningExecutions();

  /** Returns the executions that wait. */
  @Described("Executions that wait for those before them in their session")
  int getQueuedExecutions();

  /** Returns the sessions started since deployment. */
  @Described("Sessions started since deployment, kernels for one execution included")
  long getStartedTotal();

  /** Returns the sessions that ended since deployment. */
  @Described("Sessions that ended since deployment, kernels for one execution included")
  long getStoppedTotal();

  /** Returns the kernels that died since deployment. */
  @Described("Kernels that died under an execution since deployment")
  long getDiedTotal();

  /** Returns the requests refused for a limit since deployment. */
  @Described("Requests refused since deployment because of a limit on sessions")
  long getRefusedTotal();

  /** Returns the bound on a user's sessions. */
  @Described("Named sessions one user may have; a change holds until the application stops")
  int getSessionsPerUser();

  /** Sets the bound on a user's sessions, 0 or more; sessions above it stay. */
  void setSessionsPerUser(int sessions);

  /** Returns the bound on this server's kernels. */
  @Described("Kernels this server may run; a change holds until the application stops")
  int getSessionsPerNode();

  /** Sets the bound on this server's kernels, 0 or more; sessions above it stay. */
  void setSessionsPerNode(int sessions);

  /** Returns how long a session may be unused. */
  @Described("Seconds a session may be unused before it is stopped")
  long getIdleTimeoutSeconds();

  /** Sets how long a session may be unused, in seconds from 1; applies to existing ones at once. */
  void setIdleTimeoutSeconds(long seconds);

  /** Returns how old a session may get. */
  @Described("Seconds a session may live before it is stopped")
  long getMaxLifetimeSeconds();

  /** Sets how old a session may get, in seconds from 1; applies to existing ones at once. */
  void setMaxLifetimeSeconds(long seconds);

  /** Returns the confinement in force. */
  @Described("The sandbox level in force: bubblewrap, namespaces, none or unavailable")
  String getSandboxLevel();

  /** Returns the interpreter's version. */
  @Described("Version of the Python that sessions run; empty when there is none")
  String getPythonVersion();

  /** Returns whether decisions are audited. */
  @Described("Whether decisions get into the audit log: ok, failing or off")
  String getAudit();

  /** Returns whether the server takes no more work. */
  @Described("Whether no more sessions and executions are taken")
  boolean isSuspended();

  /**
   * Takes no more sessions and executions; what runs may end, and is interrupted when the time is
   * over. Returns at once.
   *
   * @param timeoutSeconds 0 or more
   */
  @Described("Takes no more work; what runs may end, and is interrupted after so many seconds")
  void suspend(long timeoutSeconds);

  /** Takes sessions and executions again. */
  @Described("Takes work again")
  void resume();

  /** Lists every session, oldest first. */
  @Described("Lists every session of this server, oldest first")
  List<SessionSummary> listSessions();

  /**
   * Stops a session without waiting for its cell.
   *
   * @param user whose it is
   * @param id as {@link #listSessions} names it
   */
  @Described("Stops a session; when it returns, the session's processes are gone")
  void stopSession(String user, String id);

  /**
   * Interrupts what a session runs.
   *
   * @param user whose it is
   * @param id as {@link #listSessions} names it
   * @return whether something was running
   */
  @Described("Interrupts the execution a session runs; returns whether there was one")
  boolean interruptSession(String user, String id);
}
