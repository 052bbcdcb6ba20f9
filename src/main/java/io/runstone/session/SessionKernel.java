package io.runstone.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.runstone.kernel.Kernel;
import io.runstone.kernel.KernelEngine;
import io.runstone.session.SessionException.Category;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The kernel of a session: launched on the session's thread, replaced when its sandbox has died,
 * and none after the session was stopped. Thread-safe.
 */
final class SessionKernel {
  private final KernelEngine engine;
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private final Object lock = new Object();

  @GuardedBy("lock") private @Nullable Kernel kernel;

  @GuardedBy("lock") private boolean stopped;

  /** A kernel is on its way; whoever gets it ends the session if it was stopped meanwhile. */
  @GuardedBy("lock") private boolean launching;

  SessionKernel(KernelEngine engine) {
    this.engine = engine;
  }

  /**
   * Gets a kernel, and waits for it.
   *
   * @throws SessionException if there is none to be had, or the session was stopped
   */
  Kernel launch(Path workspace) {
    synchronized (lock) {
      if (stopped) {
        throw SessionQueue.stopped();
      }
      launching = true;
    }
    Kernel launched = null;
    try {
      launched = engine.launch(workspace).toCompletableFuture().get();
    } catch (ExecutionException e) {
      throw new SessionException(Category.UNAVAILABLE, reason(e), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw SessionQueue.stopped();
    } finally {
      settle(launched);
    }
    if (current().filter(launched::equals).isEmpty()) {
      throw SessionQueue.stopped();
    }
    return launched;
  }

  private static String reason(ExecutionException failure) {
    Throwable cause = failure.getCause();
    return cause == null ? "the kernel did not start" : String.valueOf(cause.getMessage());
  }

  /** Ends the launch: keeps the kernel, or closes it when the session was stopped meanwhile. */
  private void settle(@Nullable Kernel launched) {
    synchronized (lock) {
      launching = false;
      if (!stopped) {
        kernel = launched;
        return;
      }
    }
    endAfter(launched);
  }

  private void endAfter(@Nullable Kernel last) {
    if (last == null) {
      ended.complete(null);
    } else {
      last.close();
      last.onExit().whenComplete((ok, failure) -> ended.complete(null));
    }
  }

  /** The kernel there is. */
  Optional<Kernel> current() {
    synchronized (lock) {
      return Optional.ofNullable(kernel);
    }
  }

  /** Lets go of a kernel whose sandbox is gone; the next launch brings a fresh one. */
  void dropDead() {
    Kernel dead;
    synchronized (lock) {
      if (kernel == null || kernel.isAlive()) {
        return;
      }
      dead = kernel;
      kernel = null;
    }
    dead.close();
  }

  /**
   * Ends the kernel there is; the next launch brings a fresh one. It is let go of at once, for its
   * process still lives for a moment after it was killed.
   */
  void discard() {
    Kernel discarded;
    synchronized (lock) {
      discarded = kernel;
      kernel = null;
    }
    if (discarded != null) {
      discarded.close();
    }
  }

  boolean isStopped() {
    synchronized (lock) {
      return stopped;
    }
  }

  /**
   * Ends the kernel, and lets none follow; idempotent.
   *
   * @return completes when the kernel's process has ended
   */
  CompletionStage<Void> stop() {
    Kernel last;
    synchronized (lock) {
      if (stopped) {
        return ended;
      }
      stopped = true;
      if (launching) {
        return ended;
      }
      last = kernel;
    }
    endAfter(last);
    return ended;
  }
}
