package io.runstone.session;

import io.runstone.security.Requester;
import io.runstone.security.Sha256;
import io.runstone.security.audit.AuditEvent;
import io.runstone.security.audit.AuditEvent.Action;
import io.runstone.security.audit.AuditEvent.Result;
import io.runstone.security.audit.AuditEvent.Subject;
import io.runstone.security.audit.AuditLog;
import io.runstone.security.audit.AuditState;
import io.runstone.session.SessionException.Category;
import java.time.Clock;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Tells the audit log what is decided about sessions, and refuses what could not be audited.
 * Thread-safe; nothing in it waits.
 */
final class SessionAudit implements SessionListener {
  private static final int CAUSES_SEARCHED = 8;
  private static final String UNWRITABLE =
      "this server can't write its audit log and therefore runs no code; its administrator finds"
          + " the cause in the server's log, or can do without (runstone.audit.required)";

  /** Ends that nobody asked for; the others are told of where they are asked for. */
  private static final Set<StopReason> OWN_ACCORD =
      EnumSet.of(StopReason.IDLE, StopReason.LIFETIME, StopReason.MADE_ROOM, StopReason.SHUTDOWN);

  private final AuditLog log;
  private final boolean required;
  private final Clock clock;

  /**
   * Creates the audit.
   *
   * @param required whether nothing may be run while the log can't be written
   */
  SessionAudit(AuditLog log, boolean required, Clock clock) {
    this.log = log;
    this.required = required;
    this.clock = clock;
  }

  AuditState state() {
    return log.state();
  }

  /** Whether work is refused now. */
  boolean refusesWork() {
    return required && log.state() == AuditState.FAILING;
  }

  /**
   * Checks that what is about to be done can be audited.
   *
   * @throws SessionException if not
   */
  void check() {
    if (refusesWork()) {
      throw new SessionException(Category.UNAVAILABLE, UNWRITABLE);
    }
  }

  static SessionException unwritable(Throwable cause) {
    return new SessionException(Category.UNAVAILABLE, UNWRITABLE, cause);
  }

  /** Begins to tell of an execution. */
  AuditedExecution execution(Requester requester, ExecutionOrder order) {
    String session =
        order.target() instanceof ExecutionTarget.Named named ? named.id().value() : "";
    String sha256 = log.state() == AuditState.OFF ? "" : Sha256.hex(order.code());
    return new AuditedExecution(new ExecutionLines(requester), session, sha256);
  }

  private final class ExecutionLines implements AuditedExecution.Lines {
    private final Requester requester;

    ExecutionLines(Requester requester) {
      this.requester = requester;
    }

    @Override
    public CompletionStage<Void> begin(Subject subject) {
      AuditEvent event = event(Action.EXECUTE, requester, subject, Result.of("accepted", ""));
      if (required) {
        return log.recordBefore(event);
      }
      log.record(event);
      return CompletableFuture.completedStage(null);
    }

    @Override
    public void end(Subject subject, Result result) {
      log.recordEnd(event(Action.EXECUTE, requester, subject, result));
    }

    @Override
    public void refuse(Subject subject, Result result) {
      log.record(event(Action.EXECUTE, requester, subject, result));
    }
  }

  private AuditEvent event(Action action, Requester requester, Subject subject, Result result) {
    return new AuditEvent(clock.instant(), action, Optional.of(requester), subject, result);
  }

  /** Does what starts something, if it can be audited, and tells what came of it. */
  <T> CompletionStage<T> starting(
      Action action, Requester requester, SessionKey key, Supplier<CompletionStage<T>> work) {
    return telling(
        action,
        requester,
        key,
        "",
        () -> {
          check();
          return work.get();
        });
  }

  /**
   * Does what is asked for and tells what came of it.
   *
   * @param reason what there is to say about it when it succeeds
   */
  <T> CompletionStage<T> telling(
      Action action,
      Requester requester,
      SessionKey key,
      String reason,
      Supplier<CompletionStage<T>> work) {
    long began = System.nanoTime();
    return begin(work)
        .whenComplete(
            (value, failure) -> {
              if (failure != null && key instanceof SessionKey.Implicit) {
                return; // an MCP session ended that had no Python; nobody asked for anything
              }
              Result result = failure == null ? Result.of("ok", reason) : refusal(failure);
              long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
              log.record(
                  event(action, requester, Subject.session(key.shown()), result.took(millis)));
            });
  }

  /** Does the same with an interrupt, whose outcome is known at once. */
  boolean interrupting(
      Requester requester, SessionKey key, String reason, BooleanSupplier interrupt) {
    Subject subject = Subject.session(key.shown());
    try {
      boolean ran = interrupt.getAsBoolean();
      Result result = Result.of(ran ? "ok" : "nothing_ran", reason);
      log.record(event(Action.INTERRUPT, requester, subject, result));
      return ran;
    } catch (SessionException e) {
      log.record(event(Action.INTERRUPT, requester, subject, refusal(e)));
      throw e;
    }
  }

  /** Records what an administrator did. */
  void administering(Action action, Optional<Requester> administrator, String outcome) {
    log.record(
        new AuditEvent(
            clock.instant(), action, administrator, Subject.NONE, Result.of(outcome, "")));
  }

  private static <T> CompletionStage<T> begin(Supplier<CompletionStage<T>> work) {
    try {
      return work.get();
    } catch (SessionException e) {
      return CompletableFuture.failedStage(e);
    }
  }

  /** What the log says about something that failed. */
  static Result refusal(Throwable failure) {
    Throwable cause = failure;
    for (int i = 0; i < CAUSES_SEARCHED && cause != null; i++) {
      if (cause instanceof SessionException refused) {
        return Result.of("refused", refused.category().name().toLowerCase(Locale.ROOT));
      }
      cause = cause.getCause();
    }
    return Result.of("failed", "");
  }

  @Override
  public void onEvent(SessionEvent event) {
    if (event instanceof SessionEvent.Stopped stopped
        && OWN_ACCORD.contains(stopped.reason())
        && !(stopped.key() instanceof SessionKey.OneShot)) {
      log.record(
          event(
              Action.STOP,
              Requester.of(stopped.key().user()),
              Subject.session(stopped.key().shown()),
              Result.of("ok", stopped.reason().label())));
    }
  }

  /** Writes what is left. */
  void close() {
    log.close();
  }
}
