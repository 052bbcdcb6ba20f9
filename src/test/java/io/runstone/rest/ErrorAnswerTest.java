package io.runstone.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.runstone.http.RequestBody;
import io.runstone.session.SessionException;
import io.runstone.session.SessionException.Category;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ErrorAnswerTest {

  @ParameterizedTest
  @CsvSource({
    "BAD_ID,400,false",
    "BAD_REQUEST,400,false",
    "UNKNOWN,404,false",
    "TAKEN,409,false",
    "USER_LIMIT,503,true",
    "NODE_LIMIT,503,true",
    "QUEUE_FULL,429,true",
    "UNAVAILABLE,503,true",
  })
  void hasAStatusForEachCategory(Category category, int status, boolean retryAfter) {
    ErrorAnswer answer = ErrorAnswer.of(new SessionException(category, "do this"));
    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.retryAfterSeconds().isPresent()).isEqualTo(retryAfter);
    assertThat(answer.body().getString("error")).isEqualTo("do this");
    assertThat(answer.body().containsKey("detail")).isEqualTo(status == 429);
  }

  @ParameterizedTest
  @EnumSource
  void looksThroughWhatWrapsAFailure(Category category) {
    SessionException failure = new SessionException(category, "do this");
    assertThat(
            ErrorAnswer.of(
                new CompletionException(new IllegalStateException("container", failure))))
        .isEqualTo(ErrorAnswer.of(failure));
  }

  @Test
  void blamesBodiesOnTheClient() throws IOException {
    try {
      RequestBody.read(new ByteArrayInputStream(new byte[9]), 8);
    } catch (RequestBody.TooLargeException e) {
      assertThat(ErrorAnswer.of(e).status()).isEqualTo(413);
      assertThat(ErrorAnswer.of(e).error()).contains("8 bytes");
    }
    assertThat(ErrorAnswer.of(new EOFException("internal")).status()).isEqualTo(400);
    assertThat(ErrorAnswer.of(new EOFException("internal")).error()).doesNotContain("internal");
  }

  @Test
  void hidesInternals() {
    ErrorAnswer answer = ErrorAnswer.of(new IllegalStateException("jdbc password"));
    assertThat(answer.status()).isEqualTo(500);
    assertThat(answer.body().toString()).doesNotContain("jdbc");
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 401, 403, 404, 405, 406, 409, 413, 415, 418, 429, 431, 500, 503})
  void hasASentenceForEachStatus(int status) {
    ErrorAnswer answer = ErrorAnswer.ofStatus(status);
    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.body().getString("error")).isNotBlank();
  }
}
