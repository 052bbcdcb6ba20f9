package io.runstone.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.runstone.kernel.Cancellation;
import io.runstone.session.ExecutionTarget;
import io.runstone.session.SessionException;
import io.runstone.session.SessionException.Category;
import io.runstone.session.SessionId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExecuteCallTest {

  private static ExecuteCall call(String body) {
    return ExecuteCall.from(JsonRequest.parse(body.getBytes(StandardCharsets.UTF_8)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"code\":\"1 + 1\"}",
        "{\"command\":\"1 + 1\"}",
        "{\"code\":\"1 + 1\",\"command\":\"1 + 1\"}",
        "{\"code\":null,\"command\":\"1 + 1\",\"session_id\":null,\"language\":null,\"timeout\":null}",
        "{\"code\":\"1 + 1\",\"language\":\"Python\",\"metadata\":{\"a\":[]}}",
        "{\"code\":\"1 + 1\",\"language\":\"py\"}",
        "{\"code\":\"1 + 1\",\"language\":\"PYTHON3\"}",
      })
  void runsCodeInACleanKernel(String body) {
    assertThat(call(body)).isEqualTo(new ExecuteCall("1 + 1", Optional.empty(), Optional.empty()));
    assertThat(call(body).order(new Cancellation()).target())
        .isInstanceOf(ExecutionTarget.OneShot.class);
  }

  @Test
  void runsCodeInASession() {
    ExecuteCall call = call("{\"code\":\"1\",\"session_id\":\"alpha\"}");
    assertThat(call.order(new Cancellation()).target())
        .isEqualTo(new ExecutionTarget.Named(new SessionId("alpha")));
  }

  @ParameterizedTest
  @CsvSource({
    "1,PT1S",
    "0.5,PT0.5S",
    "30.0,PT30S",
    "1e-300,PT0.000000001S",
    "1e300,PT277777H46M40S"
  })
  void takesSeconds(String seconds, Duration expected) {
    assertThat(call("{\"code\":\"1\",\"timeout\":" + seconds + "}").timeout()).contains(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | no code",
        "{\"code\":\"\"} | no code",
        "{\"code\":\" \\n\\t\"} | no code",
        "{\"code\":1} | code must be a string",
        "{\"code\":[\"1\"]} | code must be a string",
        "{\"command\":true} | command must be a string",
        "{\"code\":\"1\",\"command\":\"2\"} | send one of them",
        "{\"code\":\"1\",\"session_id\":7} | session_id must be a string",
        "{\"code\":\"1\",\"session_id\":{}} | session_id must be a string",
        "{\"code\":\"1\",\"timeout\":\"5\"} | timeout must be a number",
        "{\"code\":\"1\",\"timeout\":true} | timeout must be a number",
        "{\"code\":\"1\",\"timeout\":0} | above 0",
        "{\"code\":\"1\",\"timeout\":-1} | above 0",
        "{\"code\":\"1\",\"language\":\"bash\"} | Python only",
        "{\"code\":\"1\",\"language\":\"\"} | Python only",
        "{\"code\":\"1\",\"language\":3} | language must be a string",
      })
  void saysWhatIsExpected(String body, String sentence) {
    assertRefused(body, sentence, Category.BAD_REQUEST);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-a", "a b", "ä", "../x"})
  void refusesABadId(String id) {
    assertRefused(
        "{\"code\":\"1\",\"session_id\":\"" + id + "\"}", "a session_id is", Category.BAD_ID);
  }

  @Test
  void keepsCodeOutOfLogs() {
    assertThat(call("{\"code\":\"secret\"}").toString()).doesNotContain("secret");
  }

  private static void assertRefused(String body, String sentence, Category category) {
    assertThatThrownBy(() -> call(body))
        .isInstanceOfSatisfying(
            SessionException.class, e -> assertThat(e.category()).isEqualTo(category))
        .hasMessageContaining(sentence);
  }
}
