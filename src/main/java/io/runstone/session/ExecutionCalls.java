package io.runstone.session;

import io.runstone.kernel.ExecutionId;
import io.runstone.kernel.HostCalls;
import io.runstone.security.Requester;
import java.util.function.Consumer;

/** The port to what code of users may call while it runs. Thread-safe. */
@FunctionalInterface
public interface ExecutionCalls {
  /** There is nothing to call. */
  ExecutionCalls NONE = (origin, progress) -> HostCalls.NONE;

  /**
   * Whose code it is that calls.
   *
   * @param requester who asked for the execution
   * @param session where it runs
   */
  record Origin(Requester requester, SessionKey session, ExecutionId execution) {}

  /**
   * What one execution may call.
   *
   * @param progress takes sentences on what the code waits for; returns at once
   */
  HostCalls open(Origin origin, Consumer<String> progress);

  /** A session has ended, and what its code used on the way is not needed any more. */
  default void ended(SessionKey session) {}
}
