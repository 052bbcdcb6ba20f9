package io.runstone.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.runstone.kernel.ExecuteRequest;
import io.runstone.kernel.ExecutionId;
import io.runstone.kernel.ExecutionResult;
import io.runstone.kernel.Kernel;
import io.runstone.kernel.KernelEngine;
import io.runstone.kernel.KernelInfo;
import io.runstone.kernel.Outcome;
import io.runstone.session.SessionException.Category;
import io.runstone.workspace.WorkspaceGuard;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One session: a kernel, and the executor whose single thread is the only one that runs cells in
 * it.
 *
 * <p>Life: made in {@link SessionTable}, {@link #start started} as the first task of its executor,
 * executes cells in the order they came, ends with {@link #stop}. A kernel whose sandbox died is
 * replaced before the next cell, which is then not run but reported, so that nobody works with
 * variables that are gone. Thread-safe; nothing waits for a cell but the session's own thread.
 */
final class PythonSession {
  private static final System.Logger LOG = System.getLogger(PythonSession.class.getName());

  private final SessionKey key;
  private final SessionKernel kernel;
  private final SessionQueue queue;
  private final WorkspaceGuard guard;
  private final Clock clock;
  private final Instant createdAt;
  private final SessionListener listener;
  private final Object lock = new Object();

  @GuardedBy("lock") private @Nullable ExecutionId running;

  @GuardedBy("lock") private boolean active;

  @GuardedBy("lock") private Instant lastUsedAt;

  /** Tells a cell that was ended by a restart from one whose kernel died by itself. */
  @GuardedBy("lock") private long restarts;

  @GuardedBy("lock") private long executions;

  /** Set by the session's own thread when it has its workspace. */
  private volatile @Nullable Path workspace;

  PythonSession(
      SessionKey key,
      KernelEngine engine,
      SessionQueue queue,
      WorkspaceGuard guard,
      Clock clock,
      SessionListener listener) {
    this.key = key;
    this.kernel = new SessionKernel(engine);
    this.queue = queue;
    this.guard = guard;
    this.clock = clock;
    this.listener = listener;
    this.createdAt = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    this.lastUsedAt = createdAt;
  }

  SessionKey key() {
    return key;
  }

  /** How the session finds its workspace; may block, and fails with a sentence for the user. */
  interface WorkspaceSource {
    Path directory() throws IOException;
  }

  /**
   * Starts the kernel; the stage completes when it runs, or fails with a {@link SessionException}.
   */
  CompletionStage<SessionInfo> start(WorkspaceSource source) {
    CompletableFuture<SessionInfo> started = new CompletableFuture<>();
    Runnable work =
        () -> {
          try {
            workspace = source.directory();
            launch();
            synchronized (lock) {
              active = true;
            }
            listener.onEvent(new SessionEvent.Started(key));
            started.complete(info());
          } catch (IOException e) {
            started.completeExceptionally(
                new SessionException(
                    Category.UNAVAILABLE, "the workspace can't be used on this server", e));
          } catch (SessionException e) {
            started.completeExceptionally(e);
          }
        };
    queue.add(new SessionQueue.Task(work, started, why -> work.run())); // is never skipped
    return started;
  }

  /**
   * Runs a cell after those that came before; fails with a {@link SessionException} if it can't.
   */
  CompletionStage<ExecutionResult> execute(Submission cell) {
    ExecuteRequest request = cell.request();
    CompletableFuture<ExecutionResult> result = new CompletableFuture<>();
    Runnable work =
        () -> {
          try {
            result.complete(run(cell));
          } catch (SessionException e) {
            result.completeExceptionally(e);
          } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.ERROR, "session " + key.label() + ": execution failed", e);
            result.completeExceptionally(e);
          }
        };
    SessionQueue.Task task =
        new SessionQueue.Task(
            work, result, why -> result.complete(NotRun.skipped(request.id(), why)));
    if (queue.add(task)) {
      cell.admission().accepted(key);
    }
    request
        .cancellation()
        .onCancel(
            reason -> {
              if (queue.remove(task)) {
                result.complete(NotRun.cancelled(request.id(), reason));
              }
            });
    return result;
  }

  /** Gets a kernel, on the session's thread. */
  private Kernel launch() {
    Path directory = workspace;
    if (directory == null) { // its start has failed
      throw SessionQueue.stopped();
    }
    return kernel.launch(directory);
  }

  private ExecutionResult run(Submission cell) {
    ExecuteRequest request = cell.request();
    Path directory = workspace;
    if (directory != null && !guard.hasRoom(directory)) {
      return NotRun.noRoom(request.id());
    }
    if (request.cancellation().isCancelled()) {
      return NotRun.cancelled(request.id(), "");
    }
    cell.admission().await();
    kernel.dropDead();
    Kernel current = begin(request.id());
    long restartsBefore = restarts();
    try {
      boolean full = directory != null && guard.isOverQuota(directory);
      ExecuteRequest calling = request.withCalls(cell.calls().apply(key));
      ExecutionResult result =
          current.execute(full ? calling.withoutWriting() : calling, cell.output());
      if (restarts() != restartsBefore) {
        result = result.withOutcome(new Outcome.Interrupted(", for the session was restarted"));
      } else if (result.outcome() instanceof Outcome.KernelDied) {
        listener.onEvent(new SessionEvent.KernelDied(key));
      }
      kernel.dropDead();
      return result;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SessionException(
          Category.UNAVAILABLE, "the server is shutting down; the code may have run in part", e);
    } finally {
      end();
    }
  }

  private Kernel begin(ExecutionId id) {
    if (kernel.isStopped()) {
      throw SessionQueue.stopped();
    }
    synchronized (lock) {
      running = id;
    }
    return kernel.current().orElseGet(this::launch);
  }

  private long restarts() {
    synchronized (lock) {
      return restarts;
    }
  }

  private void end() {
    synchronized (lock) {
      executions++;
    }
    release();
  }

  private void release() {
    synchronized (lock) {
      running = null;
      lastUsedAt = clock.instant();
    }
  }

  /**
   * Interrupts the cell that runs now.
   *
   * @return whether one was running
   */
  boolean interrupt() {
    ExecutionId id;
    synchronized (lock) {
      id = running;
    }
    return id != null && kernel.current().filter(current -> current.interrupt(id)).isPresent();
  }

  /**
   * Ends the kernel, with whatever runs in it, and starts a fresh one. What waited is not run: it
   * was meant for variables that are gone.
   *
   * @return completes when the fresh kernel runs
   */
  CompletionStage<SessionInfo> restart() {
    synchronized (lock) {
      restarts++;
    }
    queue.skipAll(SessionQueue.Skipped.RESTARTED);
    kernel.discard();
    CompletableFuture<SessionInfo> restarted = new CompletableFuture<>();
    Runnable work =
        () -> {
          try {
            kernel.dropDead();
            begin(ExecutionId.random());
            release();
            restarted.complete(info());
          } catch (SessionException e) {
            release();
            restarted.completeExceptionally(e);
          }
        };
    queue.add(new SessionQueue.Task(work, restarted, why -> work.run()));
    return restarted;
  }

  /** Skips what waits, and interrupts what runs. */
  void cutShort() {
    queue.skipAll(SessionQueue.Skipped.DRAINED);
    interrupt();
  }

  /**
   * Ends the session without waiting for its cell: what waits is told that it did not run, what
   * runs ends with its kernel.
   *
   * @return completes when the kernel's process has ended
   */
  CompletionStage<Void> stop() {
    synchronized (lock) {
      active = false;
    }
    CompletionStage<Void> ended = kernel.stop();
    queue.close();
    return ended;
  }

  /** Whether the session can be used and seen. */
  boolean isActive() {
    synchronized (lock) {
      return active && !kernel.isStopped();
    }
  }

  /** Whether it has been unused for that long. */
  boolean isIdleFor(Duration time) {
    synchronized (lock) {
      return running == null
          && queue.size() == 0
          && !lastUsedAt.plus(time).isAfter(clock.instant());
    }
  }

  boolean isOlderThan(Duration time) {
    return !createdAt.plus(time).isAfter(clock.instant());
  }

  SessionInfo info() {
    synchronized (lock) {
      return new SessionInfo(
          key,
          createdAt,
          lastUsedAt,
          running != null,
          queue.size(),
          executions,
          kernel.current().map(Kernel::info).map(KernelInfo::pid));
    }
  }
}
