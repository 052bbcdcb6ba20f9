package io.runstone.session;

import java.time.Duration;
import java.util.Optional;

/**
 * What a caller wants run.
 *
 * @param target where
 * @param code the source
 * @param timeout how long it may run; empty for the default
 */
public record ExecutionOrder(ExecutionTarget target, String code, Optional<Duration> timeout) {

  /** Leaves the code out, for it belongs in no log. */
  @Override
  public String toString() {
    return "ExecutionOrder[" + target + ", " + code.length() + " characters]";
  }
}
