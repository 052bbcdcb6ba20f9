package io.runstone.session;

import io.runstone.kernel.Cancellation;
import java.time.Duration;
import java.util.Optional;

/**
 * What a caller wants run.
 *
 * @param target where
 * @param code the source
 * @param timeout how long it may run; empty for the default
 * @param cancellation says when the caller does not want it any more
 */
public record ExecutionOrder(
    ExecutionTarget target, String code, Optional<Duration> timeout, Cancellation cancellation) {

  /** What nobody cancels. */
  public ExecutionOrder(ExecutionTarget target, String code, Optional<Duration> timeout) {
    this(target, code, timeout, new Cancellation());
  }

  /** Leaves the code out, for it belongs in no log. */
  @Override
  public String toString() {
    return "ExecutionOrder[" + target + ", " + code.length() + " characters]";
  }
}
