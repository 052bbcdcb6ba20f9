package io.runstone.session;

import io.runstone.session.SessionException.Category;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.Consumer;

/**
 * What a session still has to do, one after the other, on the single thread of its own executor.
 * Thread-safe.
 */
final class SessionQueue {
  private final ThreadPoolExecutor executor;

  SessionQueue(ThreadPoolExecutor executor) {
    this.executor = executor;
  }

  /**
   * Something to do, and whom to tell if it is never done.
   *
   * @param work does it and completes {@code result}
   * @param skip completes {@code result} when it will not be done
   */
  record Task(Runnable work, CompletableFuture<?> result, Consumer<Skipped> skip)
      implements Runnable {
    @Override
    public void run() {
      work.run();
    }
  }

  /**
   * Adds a task, or fails its result at once.
   *
   * @return whether it was added
   */
  boolean add(Task task) {
    try {
      executor.execute(task);
      return true;
    } catch (RejectedExecutionException e) {
      task.result()
          .completeExceptionally(
              executor.isShutdown()
                  ? stopped()
                  : new SessionException(
                      Category.QUEUE_FULL,
                      "too many executions wait in this session; wait for their results and try again"));
      return false;
    }
  }

  /** Takes out a task that waits; false when it is not there, so was or is being done. */
  boolean remove(Task task) {
    return executor.remove(task);
  }

  /** Why something that waited is not done. */
  enum Skipped {
    RESTARTED,
    DRAINED
  }

  /** Takes out what waits, and says why it is not done. */
  void skipAll(Skipped why) {
    for (Runnable waiting : executor.getQueue().toArray(new Runnable[0])) {
      if (executor.remove(waiting) && waiting instanceof Task task) {
        task.skip().accept(why);
      }
    }
  }

  /** Takes nothing more, and fails what waits. */
  void close() {
    executor.shutdown();
    for (Runnable waiting : executor.getQueue().toArray(new Runnable[0])) {
      if (executor.remove(waiting) && waiting instanceof Task task) {
        task.result().completeExceptionally(stopped());
      }
    }
  }

  int size() {
    return executor.getQueue().size();
  }

  static SessionException stopped() {
    return new SessionException(
        Category.UNKNOWN, "the session was stopped before this code was run; nothing of it ran");
  }
}
