package io.runstone.kernel;

import java.util.Optional;

/** What clients are shown of a result as text, the same on every surface. Pure. */
public final class ExecutionText {
  /** How a text begins that tells of a failure; clients of the contract look for it. */
  public static final String FAILURE_PREFIX = "Error: Execution Error:\n";

  /** What stands for the output of a cell that had none. */
  public static final String NO_OUTPUT = "[Execution successful with no output]";

  private ExecutionText() {}

  /**
   * What the program wrote to stdout, then the value of its last expression on a line of its own.
   */
  public static String stdout(ExecutionResult result) {
    return withValue(result.stream(StreamName.STDOUT), result);
  }

  /**
   * Everything put out, in order of arrival, rich output as its text, then the value of the last
   * expression.
   */
  public static String output(ExecutionResult result) {
    StringBuilder text = new StringBuilder();
    for (Output output : result.outputs()) {
      if (output instanceof Output.Stream stream) {
        text.append(stream.text());
      } else if (output instanceof Output.DisplayData display) {
        String shown = display.data().getOrDefault(MediaTypes.PLAIN, "");
        String separator = text.isEmpty() || text.charAt(text.length() - 1) == '\n' ? "" : "\n";
        text.append(separator).append(shown).append('\n');
      }
    }
    return withValue(text.toString(), result);
  }

  /**
   * The failure and what had been put out before it, or the output, or a marker that there is none.
   */
  public static String whole(ExecutionResult result) {
    String output = output(result);
    Optional<String> failure = failure(result);
    if (failure.isPresent()) {
      return output.isEmpty() ? failure.orElseThrow() : failure.orElseThrow() + "\n" + output;
    }
    return output.isEmpty() ? NO_OUTPUT : output;
  }

  /** What went wrong, beginning with {@link #FAILURE_PREFIX}; empty when nothing did. */
  public static Optional<String> failure(ExecutionResult result) {
    Outcome outcome = result.outcome();
    if (outcome instanceof Outcome.Failed failed) {
      return Optional.of(FAILURE_PREFIX + failed.error().traceback());
    } else if (outcome instanceof Outcome.TimedOut timedOut) {
      double seconds = timedOut.timeout().toMillis() / 1000.0;
      return failure(
          "The code ran longer than its timeout of " + seconds + " s and was stopped", result);
    } else if (outcome instanceof Outcome.Interrupted interrupted) {
      return failure("The code was interrupted" + interrupted.reason(), result);
    } else if (outcome instanceof Outcome.Rejected rejected) {
      return failure(rejected.reason(), result);
    } else if (outcome instanceof Outcome.KernelDied died) {
      return failure(died.reason(), result);
    }
    return Optional.empty();
  }

  private static Optional<String> failure(String reason, ExecutionResult result) {
    String state =
        switch (result.state()) {
          case PRESERVED -> " The session's variables are preserved.";
          case LOST -> " The session's variables are lost.";
          case NONE -> " It ran in a kernel of its own, so there are no variables to keep.";
        };
    return Optional.of(FAILURE_PREFIX + reason + "." + state);
  }

  /** What was written in the background, with a line that says so; empty if nothing was. */
  public static String background(ExecutionResult result) {
    if (result.background().isEmpty()) {
      return "";
    }
    StringBuilder text = new StringBuilder("[output of threads or processes of earlier code:]\n");
    result.background().forEach(output -> text.append(output.text()));
    return text.toString();
  }

  private static String withValue(String text, ExecutionResult result) {
    Optional<String> value = result.value();
    if (value.isEmpty()) {
      return text;
    }
    String separator = text.isEmpty() || text.endsWith("\n") ? "" : "\n";
    return text + separator + value.orElseThrow() + "\n";
  }
}
