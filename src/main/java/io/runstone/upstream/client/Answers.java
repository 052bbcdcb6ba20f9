package io.runstone.upstream.client;

import io.runstone.upstream.UpstreamException;
import io.runstone.upstream.UpstreamException.Kind;
import java.util.regex.Pattern;

/** What answers mean for those who asked. Pure. */
final class Answers {
  /** How servers say with 400 that they know no such session; there is no code for it. */
  private static final Pattern UNKNOWN_SESSION =
      Pattern.compile(
          "(?i)\\bsession\\b.{0,80}\\b(not found|unknown|expired|terminated|does not exist|invalid)"
              + "|\\b(unknown|expired|terminated|invalid|no valid|no such)\\b.{0,20}\\bsession\\b");

  private Answers() {}

  /** Whether the server forgot the session that the question was asked in. */
  static boolean saysLost(Answer answer, Dialect dialect) {
    if (dialect.session().isEmpty()) {
      return false;
    } else if (answer instanceof Answer.Status status) {
      return status.status() == 404;
    } else if (answer instanceof Answer.Refusal refusal) {
      return refusal.status() == 404
          || (refusal.status() == 400
              && refusal.message().length() <= 1000
              && UNKNOWN_SESSION.matcher(refusal.message()).find());
    }
    return false;
  }

  /**
   * The result in an answer.
   *
   * @throws UpstreamException if it is none
   */
  static Answer.Result result(Answer answer, Dialect dialect) {
    if (saysLost(answer, dialect)) {
      throw Failures.lost();
    } else if (answer instanceof Answer.Result result) {
      checkComplete(result);
      return result;
    } else if (answer instanceof Answer.Refusal refusal) {
      throw refusal.status() >= 500 || refusal.status() == 429
          ? Failures.status(refusal.status(), "")
          : Failures.rejected(refusal.code(), refusal.message());
    } else if (answer instanceof Answer.Status status) {
      throw Failures.status(status.status(), status.retryAfter());
    } else if (answer instanceof Answer.Garbage garbage) {
      throw Failures.garbage(garbage.what());
    }
    throw new IllegalArgumentException("unknown answer: " + answer.getClass());
  }

  /** MCP 2026-07-28: a result without a type is complete. */
  private static void checkComplete(Answer.Result result) {
    Object type = result.value().getOrDefault("resultType", "complete");
    if ("input_required".equals(type)) {
      throw new UpstreamException(
          Kind.REJECTED,
          "the server wants to ask its user or a model something first, which is not possible from"
              + " here; use another tool, or arguments that leave nothing open");
    } else if (!"complete".equals(type)) {
      throw new UpstreamException(
          Kind.REJECTED, "the server answers with a kind of result that is not known here");
    }
  }
}
