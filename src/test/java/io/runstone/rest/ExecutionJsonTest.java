package io.runstone.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.runstone.kernel.ErrorInfo;
import io.runstone.kernel.ExecutionId;
import io.runstone.kernel.ExecutionResult;
import io.runstone.kernel.Outcome;
import io.runstone.kernel.Output;
import io.runstone.kernel.SessionState;
import io.runstone.kernel.StreamName;
import io.runstone.session.SessionId;
import jakarta.json.JsonObject;
import jakarta.json.JsonString;
import jakarta.json.JsonValue;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ExecutionJsonTest {
  private static final ErrorInfo ERROR =
      new ErrorInfo("ValueError", "expected", "Traceback:\nValueError: expected");

  private static Output out(String text) {
    return new Output.Stream(StreamName.STDOUT, text);
  }

  private static Output err(String text) {
    return new Output.Stream(StreamName.STDERR, text);
  }

  private static Output value(String text) {
    return new Output.ExecuteResult(Map.of("text/plain", text, "image/png", "iVBORw0KGgo="));
  }

  private static ExecutionResult result(Outcome outcome, SessionState state, Output... outputs) {
    return new ExecutionResult(
        new ExecutionId("e1"),
        outcome,
        List.of(outputs),
        List.of(),
        state,
        Duration.ofMillis(1500),
        Duration.ofNanos(250_000_001));
  }

  private static JsonObject json(Outcome outcome, SessionState state, Output... outputs) {
    return ExecutionJson.of(result(outcome, state, outputs), Optional.of(new SessionId("alpha")));
  }

  @Test
  void saysEverythingAboutASuccess() {
    JsonObject json =
        json(new Outcome.Ok(), SessionState.PRESERVED, out("a"), err("b"), out("c"), value("7"));
    assertThat(json.getString("stdout")).isEqualTo("ac\n7\n");
    assertThat(json.getString("stderr")).isEqualTo("b");
    assertThat(json.getString("status")).isEqualTo("ok");
    assertThat(json.getString("session_state")).isEqualTo("preserved");
    assertThat(json.getString("session_id")).isEqualTo("alpha");
    assertThat(json.getString("execution_id")).isEqualTo("e1");
    assertThat(json.getJsonNumber("execution_time").doubleValue()).isEqualTo(1.5);
    assertThat(json.getJsonNumber("cpu_time").doubleValue()).isEqualTo(0.250000001);
    assertThat(json.get("error")).isEqualTo(JsonValue.NULL);
    assertThat(json.getJsonArray("outputs"))
        .map(JsonValue::asJsonObject)
        .map(output -> output.getString("output_type") + output.getString("text", ""))
        .containsExactly("streama", "streamb", "streamc", "execute_result");
    assertThat(json.getJsonArray("outputs").getJsonObject(3).getJsonObject("data"))
        .containsOnlyKeys("text/plain", "image/png");
  }

  @Test
  void hasNoMarkerForNoOutput() {
    JsonObject json = json(new Outcome.Ok(), SessionState.NONE);
    assertThat(json.getString("stdout")).isEmpty();
    assertThat(json.getString("stderr")).isEmpty();
    assertThat(json.getJsonArray("outputs")).isEmpty();
  }

  @Test
  void saysWhatFailedBeforeWhatWasWritten() {
    JsonObject json =
        json(new Outcome.Failed(ERROR), SessionState.PRESERVED, out("before"), err("warning\n"));
    assertThat(json.getString("stderr"))
        .isEqualTo("Error: Execution Error:\nTraceback:\nValueError: expected\nwarning\n");
    assertThat(json.getString("stdout")).isEqualTo("before");
    assertThat(json.getString("status")).isEqualTo("error");
    assertThat(json.getJsonObject("error").getString("ename")).isEqualTo("ValueError");
    assertThat(json.getJsonObject("error").getString("evalue")).isEqualTo("expected");
    assertThat(json.getJsonObject("error").getString("traceback")).isEqualTo(ERROR.traceback());
    JsonObject last = json.getJsonArray("outputs").getJsonObject(2);
    assertThat(last.getString("output_type")).isEqualTo("error");
    assertThat(last.getJsonArray("traceback").getValuesAs(JsonString::getString))
        .containsExactly("Traceback:", "ValueError: expected");
  }

  @Test
  void saysThatItWasStoppedBeforeWhatWasWritten() {
    assertThat(
            stderr(new Outcome.TimedOut(Duration.ofMillis(2500)), SessionState.PRESERVED, err("x")))
        .startsWith("Error: Execution Error:\n")
        .contains("2.5 s", "variables are preserved")
        .endsWith("\nx");
    assertThat(stderr(new Outcome.Interrupted(), SessionState.LOST))
        .startsWith("Error: Execution Error:\n")
        .contains("interrupted", "variables are lost");
    assertThat(stderr(new Outcome.KernelDied("Python was killed", true), SessionState.LOST))
        .startsWith("Error: Execution Error:\nPython was killed");
  }

  private static String stderr(Outcome outcome, SessionState state, Output... outputs) {
    return json(outcome, state, outputs).getString("stderr");
  }

  @Test
  void namesNoSessionForACleanKernel() {
    JsonObject json =
        ExecutionJson.of(result(new Outcome.Ok(), SessionState.NONE), Optional.empty());
    assertThat(json.get("session_id")).isEqualTo(JsonValue.NULL);
    assertThat(json.getString("session_state")).isEqualTo("none");
  }

  @Test
  void writesAnyTextAsUtf8() {
    JsonObject json = json(new Outcome.Ok(), SessionState.NONE, out("ä\u0000\ud83d\ude00\ud800"));
    String text = new String(JsonAnswer.bytes(json), StandardCharsets.UTF_8);
    assertThat(text).contains("ä\\u0000\ud83d\ude00?");
  }
}
