package io.runstone.admin;

import org.jspecify.annotations.Nullable;

/**
 * One session as an administrator sees it. Implementations are thread-safe; attributes fail with an
 * {@link IllegalStateException} once the session has ended.
 */
@Described("A Python session")
public interface PythonSessionMXBean {

  /** Returns whose it is. */
  @Described("Whose session it is")
  String getUser();

  /** Returns its name. */
  @Described("Its id; one that begins with mcp: belongs to an MCP session and has no name")
  String getId();

  /** Returns when it was asked for. */
  @Described("When it was created, in UTC")
  String getCreatedAt();

  /** Returns when it was last used. */
  @Described("When its last execution ended, in UTC; at first when it was created")
  String getLastUsedAt();

  /** Returns whether a cell runs. */
  @Described("Whether it runs something now")
  boolean isRunning();

  /** Returns the executions that wait. */
  @Described("Executions that wait in it")
  int getQueued();

  /** Returns the executions that ended. */
  @Described("Executions that have ended in it")
  long getExecutions();

  /** Returns the kernel's process id on the host, null while there is no process. */
  @Described("Process id of its outermost process on the host; null while there is none")
  @Nullable Long getPid();

  /** Stops it without waiting for its cell. */
  @Described("Stops it; when this returns, its processes are gone")
  void stop();

  /** Interrupts what it runs, and says whether something was running. */
  @Described("Interrupts what it runs; returns whether it ran something")
  boolean interrupt();
}
