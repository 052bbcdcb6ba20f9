package io.runstone.concurrent;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Builds the executors of the product on one thread factory, which in a server is the container's
 * {@code ManagedThreadFactory}. Thread-safe.
 *
 * <p>Whoever asks for an executor owns it and shuts it down. Idle threads end by themselves, so an
 * owner that merely waits costs no thread.
 */
public final class Threads {
  private static final long IDLE_SECONDS = 30;

  private final ThreadFactory factory;

  /**
   * Creates the builder.
   *
   * @param factory makes every thread
   */
  public Threads(ThreadFactory factory) {
    this.factory = factory;
  }

  /** Returns a factory of threads called {@code name-1}, {@code name-2}, … */
  public ThreadFactory named(String name) {
    AtomicLong count = new AtomicLong();
    return task -> {
      Thread thread = factory.newThread(task);
      if (thread == null) {
        throw new IllegalStateException("the container is shutting down and gives no threads");
      }
      thread.setName("runstone-" + name + "-" + count.incrementAndGet());
      return thread;
    };
  }

  /**
   * Returns an executor that runs one task at a time, in order.
   *
   * @param queueLength tasks that may wait; one more is rejected with {@link
   *     java.util.concurrent.RejectedExecutionException}
   */
  public ThreadPoolExecutor serial(String name, int queueLength) {
    return pool(1, 1, new ArrayBlockingQueue<>(queueLength), name);
  }

  /**
   * Returns an executor that runs every task at once and keeps none waiting.
   *
   * @param maxThreads tasks at the same time; one more is rejected
   */
  public ThreadPoolExecutor elastic(String name, int maxThreads) {
    return pool(0, maxThreads, new SynchronousQueue<>(), name);
  }

  /** Returns an executor with one thread for short timed tasks that never block. */
  public ScheduledThreadPoolExecutor timer(String name) {
    ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, named(name));
    timer.setRemoveOnCancelPolicy(true);
    timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    return timer;
  }

  private ThreadPoolExecutor pool(int core, int max, BlockingQueue<Runnable> queue, String name) {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(core, max, IDLE_SECONDS, TimeUnit.SECONDS, queue, named(name));
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }
}
