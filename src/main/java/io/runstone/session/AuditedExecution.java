package io.runstone.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.runstone.kernel.ExecutionId;
import io.runstone.kernel.ExecutionResult;
import io.runstone.security.audit.AuditEvent.Result;
import io.runstone.security.audit.AuditEvent.Subject;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * What the audit says about one execution: that it was accepted and how it ended, or that it was
 * refused. Thread-safe.
 */
final class AuditedExecution implements Admission {
  /** A disk that takes longer is taken for one that does not work. */
  private static final long PATIENCE_SECONDS = 10;

  private final Lines lines;
  private final ExecutionId id = ExecutionId.random();
  private final String codeSha256;
  private final CompletableFuture<Void> written = new CompletableFuture<>();
  private final Object lock = new Object();

  @GuardedBy("lock") private Subject subject;

  @GuardedBy("lock") private boolean accepted;

  @GuardedBy("lock") private boolean ended;

  /** How lines about one requester's executions are recorded; nothing of it blocks. */
  interface Lines {
    CompletionStage<Void> begin(Subject subject);

    void end(Subject subject, Result result);

    void refuse(Subject subject, Result result);
  }

  /**
   * Begins with an execution of which nothing was decided yet.
   *
   * @param session where it is to run, as far as that is known
   */
  AuditedExecution(Lines lines, String session, String codeSha256) {
    this.lines = lines;
    this.codeSha256 = codeSha256;
    this.subject = new Subject(session, id.value(), codeSha256);
  }

  ExecutionId id() {
    return id;
  }

  @Override
  public void accepted(SessionKey key) {
    CompletionStage<Void> line;
    synchronized (lock) { // so that the two lines come in their order
      if (ended) {
        line = CompletableFuture.failedStage(new IllegalStateException("was called off"));
      } else {
        accepted = true;
        subject = new Subject(key.shown(), id.value(), codeSha256);
        line = lines.begin(subject);
      }
    }
    line.whenComplete(
        (done, failure) -> {
          if (failure == null) {
            written.complete(null);
          } else {
            written.completeExceptionally(failure);
          }
        });
  }

  @Override
  public void await() {
    try {
      written.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SessionException(
          SessionException.Category.UNAVAILABLE,
          "the server is shutting down; the code was not run",
          e);
    } catch (ExecutionException | TimeoutException e) {
      throw SessionAudit.unwritable(e);
    }
  }

  /** Records how the execution ends, before anybody else hears of it. */
  CompletionStage<ExecutionResult> endingWith(CompletionStage<ExecutionResult> stage) {
    return stage.whenComplete(
        (result, failure) -> end(failure == null ? of(result) : SessionAudit.refusal(failure)));
  }

  private void end(Result result) {
    synchronized (lock) {
      ended = true;
      if (accepted) {
        lines.end(subject, result);
      } else {
        lines.refuse(subject, result);
      }
    }
  }

  private static Result of(ExecutionResult result) {
    return new Result(
        result.outcome().status(),
        "",
        OptionalLong.of(OutputSize.bytes(result)),
        OptionalLong.of(result.executionTime().toMillis()));
  }
}
