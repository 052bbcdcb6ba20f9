package io.runstone.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.runstone.kernel.ExecutionResult;
import io.runstone.security.UserId;
import io.runstone.session.SessionException.Category;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Whether this server takes work, and how much is under way. Thread-safe.
 *
 * <p>INVARIANT: work that was taken is counted until it is done, and none is taken while intake is
 * suspended; so when the count is 0 after a suspension nothing is left, and nothing follows.
 */
final class Intake {
  private static final long MAX_CODE_IN_MEMORY = 32L * 1024 * 1024;

  private final Quotas quotas;
  private final Object lock = new Object();

  @GuardedBy("lock") private boolean suspended;

  @GuardedBy("lock") private int underWay;

  @GuardedBy("lock") private long codeInMemory;

  @GuardedBy("lock") private CompletableFuture<Void> idle = CompletableFuture.completedFuture(null);

  Intake(Quotas quotas) {
    this.quotas = quotas;
  }

  /**
   * Takes an execution in. What waits is held in memory, so it is bounded for all sessions
   * together.
   *
   * @throws SessionException if it is not taken
   */
  void begin(UserId user, int characters) {
    check();
    quotas.begin(user);
    synchronized (lock) {
      if (suspended) {
        throw suspension();
      } else if (codeInMemory > 0 && codeInMemory + characters > MAX_CODE_IN_MEMORY) {
        throw new SessionException(
            Category.QUEUE_FULL, "too much code waits on this server; try again");
      }
      codeInMemory += characters;
      underWay++;
    }
  }

  /**
   * An execution that was taken is done.
   *
   * @param result null if nothing of it ran
   */
  void end(UserId user, int characters, @Nullable ExecutionResult result) {
    if (result != null) {
      quotas.end(user, result);
    }
    CompletableFuture<Void> done;
    synchronized (lock) {
      codeInMemory -= characters;
      underWay--;
      if (underWay > 0) {
        return;
      }
      done = idle;
    }
    done.complete(null);
  }

  /**
   * Takes nothing more.
   *
   * @return completes when nothing is under way
   */
  CompletionStage<Void> suspend() {
    synchronized (lock) {
      suspended = true;
      if (underWay > 0 && idle.isDone()) {
        idle = new CompletableFuture<>();
      }
      return idle.minimalCompletionStage();
    }
  }

  /** Takes work again. */
  void resume() {
    synchronized (lock) {
      suspended = false;
    }
  }

  boolean isSuspended() {
    synchronized (lock) {
      return suspended;
    }
  }

  /** What is not executed is not counted, but is refused too. */
  void check() {
    if (isSuspended()) {
      throw suspension();
    }
  }

  private static SessionException suspension() {
    return new SessionException(
        Category.UNAVAILABLE, "this server is being drained and takes no more work; try another");
  }
}
