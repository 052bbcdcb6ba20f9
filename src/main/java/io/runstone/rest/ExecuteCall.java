package io.runstone.rest;

import io.runstone.kernel.Cancellation;
import io.runstone.session.ExecutionOrder;
import io.runstone.session.ExecutionTarget;
import io.runstone.session.SessionId;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * What a client of {@code POST /execute} asks for. Immutable.
 *
 * @param code the source, not blank
 * @param sessionId the session to run it in; empty for a clean kernel
 * @param timeout how long it may run; empty for the server's default
 */
record ExecuteCall(String code, Optional<SessionId> sessionId, Optional<Duration> timeout) {
  private static final Set<String> PYTHON = Set.of("python", "python3", "py");
  private static final double NANOS = 1e9;

  /**
   * About 31 years, well inside what a long of nanoseconds holds; the session layer's bound is
   * lower.
   */
  private static final double LONGEST_SECONDS = 1e9;

  /**
   * Reads the call from its body; what is wrong with it is a bad request that says what is right.
   */
  static ExecuteCall from(JsonRequest body) {
    checkLanguage(body.text("language"));
    return new ExecuteCall(
        code(body.text("code"), body.text("command")),
        body.text("session_id").map(SessionId::new),
        timeout(body.number("timeout")));
  }

  private static void checkLanguage(Optional<String> language) {
    if (language.isPresent() && !PYTHON.contains(language.orElseThrow().toLowerCase(Locale.ROOT))) {
      throw JsonRequest.bad("this server runs Python only; leave language out or send \"python\"");
    }
  }

  private static String code(Optional<String> code, Optional<String> command) {
    if (code.isPresent() && command.isPresent() && !code.equals(command)) {
      throw JsonRequest.bad("code and command are two names of one field; send one of them");
    }
    return code.or(() -> command)
        .filter(source -> !source.isBlank())
        .orElseThrow(() -> JsonRequest.bad("there is no code to run; send it as a string in code"));
  }

  private static Optional<Duration> timeout(OptionalDouble seconds) {
    if (seconds.isEmpty()) {
      return Optional.empty();
    }
    double value = seconds.orElseThrow();
    if (!(value > 0)) {
      throw JsonRequest.bad("timeout must be a number of seconds above 0");
    }
    return Optional.of(
        Duration.ofNanos((long) Math.ceil(Math.min(value, LONGEST_SECONDS) * NANOS)));
  }

  /** The call as the session layer takes it. */
  ExecutionOrder order(Cancellation cancellation) {
    ExecutionTarget target =
        sessionId.isPresent()
            ? new ExecutionTarget.Named(sessionId.orElseThrow())
            : new ExecutionTarget.OneShot();
    return new ExecutionOrder(target, code, timeout, cancellation);
  }

  /** Leaves the code out, for it belongs in no log. */
  @Override
  public String toString() {
    return "ExecuteCall[" + sessionId + ", " + code.length() + " characters]";
  }
}
