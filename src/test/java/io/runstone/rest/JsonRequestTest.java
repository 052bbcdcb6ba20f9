package io.runstone.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.runstone.config.Settings;
import io.runstone.http.RequestBody;
import io.runstone.session.SessionException;
import io.runstone.session.SessionException.Category;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonRequestTest {

  private static JsonRequest parse(String body) {
    return JsonRequest.parse(body.getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " \n", "{}", "{\"text\":null}", "{\"other\":[1,{\"a\":true}]}"})
  void whatIsNotThereIsAbsent(String body) {
    assertThat(parse(body).text("text")).isEmpty();
    assertThat(parse(body).number("text")).isEmpty();
  }

  static Stream<String> notJson() {
    return Stream.of(
        "{",
        "{}x",
        "{} {}",
        "{'code':'1'}",
        "{\"code\":\"1\",}",
        "{\"code\":NaN}",
        "{\"code\":Infinity}",
        "{\"code\":\"line\nbreak\"}",
        "{\"timeout\":1e2147483648}",
        "{\"timeout\":" + "9".repeat(100_000) + "}",
        "{\"code\":" + "[".repeat(100_000),
        "\uFEFF{}");
  }

  @ParameterizedTest
  @MethodSource("notJson")
  void refusesWhatIsNotJson(String body) {
    assertBad(body, "not valid JSON");
  }

  @Test
  void refusesAFieldThatIsThereTwice() {
    assertBad("{\"code\":\"1\",\"code\":\"1\"}", "has a field twice");
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", "[]", "\"code\"", "1", "true"})
  void refusesWhatIsNoObject(String body) {
    assertBad(body, "must be a JSON object");
  }

  @Test
  void refusesInvalidUtf8() {
    assertThatThrownBy(() -> JsonRequest.parse(new byte[] {'{', (byte) 0xC3, '}'}))
        .isInstanceOf(SessionException.class)
        .hasMessageContaining("UTF-8");
  }

  @Test
  void refusesTooLargeABody() {
    byte[] body = "{\"code\":\"1\"}".getBytes(StandardCharsets.UTF_8);
    assertThatThrownBy(() -> read(body, body.length - 1, Duration.ofSeconds(1)))
        .isInstanceOf(RequestBody.TooLargeException.class);
  }

  @Test
  void refusesABodyThatComesTooLate() {
    byte[] body = "{\"code\":\"1\"}".getBytes(StandardCharsets.UTF_8);
    assertThatThrownBy(() -> read(body, 1000, Duration.ofNanos(1)))
        .isInstanceOf(RequestBody.TooSlowException.class);
  }

  private static JsonRequest read(byte[] body, int maxBytes, Duration patience) throws IOException {
    return JsonRequest.read(
        new ByteArrayInputStream(body),
        new Settings.Http(Optional.empty(), Set.of(), maxBytes, patience));
  }

  private static void assertBad(String body, String sentence) {
    assertThatThrownBy(() -> parse(body))
        .isInstanceOfSatisfying(
            SessionException.class, e -> assertThat(e.category()).isEqualTo(Category.BAD_REQUEST))
        .hasMessageContaining(sentence);
  }
}
