package io.runstone.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ExecutionTextTest {
  private static final Output PRINTED = new Output.Stream(StreamName.STDOUT, "printed");
  private static final Output WARNED = new Output.Stream(StreamName.STDERR, "warned\n");
  private static final Output VALUE = new Output.ExecuteResult(Map.of("text/plain", "42"));

  private static ExecutionResult result(Outcome outcome, SessionState state, Output... outputs) {
    return new ExecutionResult(
        ExecutionId.random(),
        outcome,
        List.of(outputs),
        List.of(),
        state,
        Duration.ZERO,
        Duration.ZERO);
  }

  @Test
  void aValueStandsOnALineOfItsOwn() {
    ExecutionResult result = result(new Outcome.Ok(), SessionState.PRESERVED, PRINTED, VALUE);
    assertThat(ExecutionText.stdout(result)).isEqualTo("printed\n42\n");
    assertThat(ExecutionText.whole(result)).isEqualTo("printed\n42\n");
  }

  @Test
  void silenceIsSaidInTheWholeTextOnly() {
    ExecutionResult result = result(new Outcome.Ok(), SessionState.PRESERVED);
    assertThat(ExecutionText.stdout(result)).isEmpty();
    assertThat(ExecutionText.whole(result)).isEqualTo("[Execution successful with no output]");
  }

  @Test
  void aFailureComesFirstAndLosesNoOutput() {
    ErrorInfo error = new ErrorInfo("ValueError", "no", "Traceback\nValueError: no");
    ExecutionResult result =
        result(new Outcome.Failed(error), SessionState.PRESERVED, PRINTED, WARNED);
    assertThat(ExecutionText.whole(result))
        .isEqualTo("Error: Execution Error:\nTraceback\nValueError: no\nprintedwarned\n");
  }

  @Test
  void whatBecameOfTheVariablesIsSaid() {
    Outcome timedOut = new Outcome.TimedOut(Duration.ofMillis(1500));
    assertThat(ExecutionText.failure(result(timedOut, SessionState.PRESERVED)))
        .hasValue(
            "Error: Execution Error:\nThe code ran longer than its timeout of 1.5 s and was stopped."
                + " The session's variables are preserved.");
    assertThat(ExecutionText.failure(result(new Outcome.Interrupted(), SessionState.LOST)))
        .hasValueSatisfying(text -> assertThat(text).contains("interrupted", "variables are lost"));
    assertThat(
            ExecutionText.failure(
                result(new Outcome.KernelDied("It died", true), SessionState.NONE)))
        .hasValueSatisfying(text -> assertThat(text).contains("It died. It ran in a kernel"));
  }
}
