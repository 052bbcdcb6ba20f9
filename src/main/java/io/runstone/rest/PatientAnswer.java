package io.runstone.rest;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.runstone.http.Exchange;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * An answer in JSON that may begin before it is known, with white space. Once it has begun its
 * status is 200, whatever comes. Thread-safe.
 */
final class PatientAnswer {
  private static final String JSON = "application/json";

  private final Exchange exchange;
  private final Duration watchInterval;
  private final Object lock = new Object();

  @GuardedBy("lock") private boolean begun;

  @GuardedBy("lock") private boolean ended;

  PatientAnswer(Exchange exchange, Duration watchInterval) {
    this.exchange = exchange;
    this.watchInterval = watchInterval;
  }

  /** Begins the answer, if it has not ended. */
  void begin() {
    synchronized (lock) {
      if (ended) {
        return;
      }
      begun = true;
    }
    exchange.begin(200, JSON, Map.of()).keepAlive(" ", watchInterval);
    exchange.stream().write(" ");
  }

  /** Ends it with what was asked for. */
  void end(int status, byte[] json) {
    end(status, json, Map.of());
  }

  /** Ends it with an error; with {@code stderr} too, for clients that look at nothing else. */
  void end(ErrorAnswer error) {
    byte[] json =
        JsonAnswer.bytes(
            JsonAnswer.object(error.body()).add("stderr", error.error() + "\n").build());
    Map<String, String> headers = new HashMap<>();
    error
        .retryAfterSeconds()
        .ifPresent(seconds -> headers.put("Retry-After", Integer.toString(seconds)));
    if (error.endsConnection()) {
      headers.put("Connection", "close");
    }
    end(error.status(), json, headers);
  }

  private void end(int status, byte[] json, Map<String, String> headers) {
    boolean late;
    synchronized (lock) {
      ended = true;
      late = begun;
    }
    if (late) {
      exchange.stream().write(json);
      exchange.stream().close();
    } else {
      exchange.answer(status, JSON, json, headers);
    }
  }
}
