package io.runstone.kernel;

import java.time.Duration;

/** How an execution ended. Never guessed from text. */
public sealed interface Outcome {

  /** The cell ran to its end. */
  record Ok() implements Outcome {}

  /** The cell raised an exception. */
  record Failed(ErrorInfo error) implements Outcome {}

  /** The cell ran longer than it was allowed to, and was stopped. */
  record TimedOut(Duration timeout) implements Outcome {}

  /**
   * The cell was stopped because somebody asked for it, or because it went beyond a limit.
   *
   * @param reason a sentence's end: "the code was interrupted" + reason
   */
  record Interrupted(String reason) implements Outcome {
    /** Stopped on request. */
    public Interrupted() {
      this("");
    }
  }

  /**
   * The cell was not run at all.
   *
   * @param reason a sentence
   */
  record Rejected(String reason) implements Outcome {}

  /**
   * The Python process ended under the cell, or had ended before it.
   *
   * @param reason a sentence about what is known
   * @param started whether the cell was given to Python; if not, nothing of it ran
   */
  record KernelDied(String reason, boolean started) implements Outcome {}

  /** The word for this outcome on the wire. */
  default String status() {
    if (this instanceof Ok) {
      return "ok";
    } else if (this instanceof Failed) {
      return "error";
    } else if (this instanceof TimedOut) {
      return "timeout";
    } else if (this instanceof Interrupted) {
      return "interrupted";
    } else if (this instanceof Rejected) {
      return "rejected";
    }
    return "kernel_died";
  }
}
