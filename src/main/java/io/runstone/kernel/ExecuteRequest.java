package io.runstone.kernel;

import java.time.Duration;

/**
 * One cell to run.
 *
 * @param id names the execution
 * @param code the source, not blank
 * @param timeout wall-clock bound on the run, above zero; waiting in a queue does not count
 * @param mayWrite whether files may grow; not while the workspace is over its quota
 * @param cancellation says when nobody wants the result any more
 * @param calls what the code may call while it runs
 */
public record ExecuteRequest(
    ExecutionId id,
    String code,
    Duration timeout,
    boolean mayWrite,
    Cancellation cancellation,
    HostCalls calls) {
  public ExecuteRequest {
    if (code.isBlank()) {
      throw new IllegalArgumentException("there is no code to run");
    }
    if (timeout.isNegative() || timeout.isZero()) {
      throw new IllegalArgumentException("a timeout is above zero");
    }
  }

  /** A cell that has nothing to call. */
  public ExecuteRequest(
      ExecutionId id, String code, Duration timeout, boolean mayWrite, Cancellation cancellation) {
    this(id, code, timeout, mayWrite, cancellation, HostCalls.NONE);
  }

  /** A cell that may write, and that nobody cancels. */
  public ExecuteRequest(ExecutionId id, String code, Duration timeout) {
    this(id, code, timeout, true, new Cancellation());
  }

  /** The same cell, but files may not grow. */
  public ExecuteRequest withoutWriting() {
    return new ExecuteRequest(id, code, timeout, false, cancellation, calls);
  }

  /** The same cell with something to call. */
  public ExecuteRequest withCalls(HostCalls host) {
    return new ExecuteRequest(id, code, timeout, mayWrite, cancellation, host);
  }

  /** Leaves the code out, for it belongs in no log. */
  @Override
  public String toString() {
    return "ExecuteRequest[" + id + ", " + code.length() + " characters, " + timeout + "]";
  }
}
