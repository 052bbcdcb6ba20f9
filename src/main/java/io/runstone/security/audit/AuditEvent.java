package io.runstone.security.audit;

import io.runstone.security.Requester;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One decision of this server. Holds no code, output or token: there is no field that could.
 * Immutable.
 *
 * @param time when it was decided
 * @param action what was asked for
 * @param requester who asked; empty for what the server does by itself
 * @param subject what it is about
 * @param result what was decided, or what came of it
 */
public record AuditEvent(
    Instant time, Action action, Optional<Requester> requester, Subject subject, Result result) {

  /** What can be asked for. */
  public enum Action {
    /** Run code. */
    EXECUTE,
    /** Start a session. */
    START,
    /** End a session. */
    STOP,
    /** Give a session a fresh Python. */
    RESTART,
    /** Interrupt what a session runs. */
    INTERRUPT,
    /** Call a tool of an upstream server. */
    CALL,
    /** End sessions with an upstream server, or change what a user has there. */
    UPSTREAM,
    /** Take no more work, or take it again. */
    DRAIN,
    /** Change a limit. */
    LIMIT,
    /** Log in. */
    LOGIN,
    /** Something about the log itself. */
    LOG;

    /** The word in the log. */
    String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * What a decision is about; empty texts for what it is not about.
   *
   * @param session the session, as JMX calls it
   * @param execution the execution's id
   * @param codeSha256 digest of the code, in hexadecimal
   * @param tool the upstream server, and after a slash its tool
   * @param origin the address of a request of which nobody knows who sent it
   */
  public record Subject(
      String session, String execution, String codeSha256, String tool, String origin) {
    /** About no session and no execution. */
    public static final Subject NONE = new Subject("", "", "");

    /** About code. */
    public Subject(String session, String execution, String codeSha256) {
      this(session, execution, codeSha256, "", "");
    }

    /** About a tool of an upstream server, or the server. */
    public Subject(String session, String execution, String codeSha256, String tool) {
      this(session, execution, codeSha256, tool, "");
    }

    /** About a request of somebody unknown. */
    public static Subject origin(String address) {
      return new Subject("", "", "", "", address);
    }

    /** About a session. */
    public static Subject session(String id) {
      return new Subject(id, "", "");
    }
  }

  /**
   * What was decided, or what came of it.
   *
   * @param outcome a word
   * @param reason a word or sentence of the server's own; empty if there is nothing to say
   * @param bytes how much was put out
   * @param milliseconds how long it took
   */
  public record Result(
      String outcome, String reason, OptionalLong bytes, OptionalLong milliseconds) {
    /** A decision that nothing was measured of. */
    public static Result of(String outcome, String reason) {
      return new Result(outcome, reason, OptionalLong.empty(), OptionalLong.empty());
    }

    /** The same, with how long it took. */
    public Result took(long millis) {
      return new Result(outcome, reason, bytes, OptionalLong.of(millis));
    }
  }

  /** Something about the log itself. */
  static AuditEvent log(Instant time, String outcome, String reason) {
    return new AuditEvent(
        time, Action.LOG, Optional.empty(), Subject.NONE, Result.of(outcome, reason));
  }
}
