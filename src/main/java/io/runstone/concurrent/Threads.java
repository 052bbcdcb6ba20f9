package io.runstone.concurrent;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Builds the executors of the product on one thread factory, which in a server is the container's
 * {@code ManagedThreadFactory}. Thread-safe.
 *
 * <p>Whoever asks for an executor owns it and shuts it down. Idle threads end by themselves, so an
 * owner that merely waits costs no thread. {@link #close} is for the end of the application: a
 * thread that outlives it runs into classes that can't be loaded any more, and keeps the others in
 * memory.
 */
public final class Threads implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Threads.class.getName());
  private static final long IDLE_SECONDS = 30;
  private static final Duration ENDING = Duration.ofSeconds(3);

  private final ThreadFactory factory;
  private final Set<Thread> running = ConcurrentHashMap.newKeySet();
  private final Set<ThreadPoolExecutor> executors = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

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
      Thread thread = make(() -> run(task));
      thread.setName("runstone-" + name + "-" + count.incrementAndGet());
      return thread;
    };
  }

  /**
   * A container that is stopping gives no more threads, sometimes before it tells the application;
   * what was begun has to be finished all the same, so until {@link #close} plain ones take their
   * place.
   */
  private Thread make(Runnable work) {
    if (closed) {
      throw new IllegalStateException("the application has ended and takes no more threads");
    }
    Thread thread = null;
    try {
      thread = factory.newThread(work);
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.DEBUG, "the container gives no thread", e);
    }
    if (thread == null) {
      thread = new Thread(work);
      thread.setDaemon(true);
      thread.setContextClassLoader(Threads.class.getClassLoader());
    }
    return thread;
  }

  private void run(Runnable task) {
    running.add(Thread.currentThread());
    try {
      task.run();
    } finally {
      running.remove(Thread.currentThread());
    }
  }

  /** Returns a factory as {@link #named} does, of threads for {@link #outsideTheApplication}. */
  public ThreadFactory processStarters(String name) {
    ThreadFactory named = named(name);
    return task ->
        named.newThread(
            () ->
                outsideTheApplication(
                    () -> {
                      task.run();
                      return true;
                    }));
  }

  /**
   * Does what has the JDK start threads of its own, without the application's context class loader,
   * which they inherit and keep: those that wait for processes are used again for a minute, also by
   * the next deployment, and that of an {@code HttpClient} ends some time after the client.
   */
  public static <T> T outsideTheApplication(Supplier<T> work) {
    Thread thread = Thread.currentThread();
    ClassLoader application = thread.getContextClassLoader();
    thread.setContextClassLoader(ClassLoader.getSystemClassLoader());
    try {
      return work.get();
    } finally {
      thread.setContextClassLoader(application);
    }
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

  /**
   * Returns an executor that runs some tasks at once, and keeps others waiting for those.
   *
   * @param maxThreads tasks at the same time
   * @param queueLength tasks that may wait; one more is rejected
   */
  public ThreadPoolExecutor queued(String name, int maxThreads, int queueLength) {
    return pool(maxThreads, maxThreads, new ArrayBlockingQueue<>(queueLength), name);
  }

  /** Returns an executor with one thread for short timed tasks that never block. */
  public ScheduledThreadPoolExecutor timer(String name) {
    ScheduledThreadPoolExecutor timer =
        new ScheduledThreadPoolExecutor(1, named(name)) {
          @Override
          protected void terminated() {
            executors.remove(this);
          }
        };
    timer.setRemoveOnCancelPolicy(true);
    timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    executors.add(timer);
    return timer;
  }

  private ThreadPoolExecutor pool(int core, int max, BlockingQueue<Runnable> queue, String name) {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(core, max, IDLE_SECONDS, TimeUnit.SECONDS, queue, named(name)) {
          @Override
          protected void terminated() {
            executors.remove(this);
          }
        };
    pool.allowCoreThreadTimeOut(true);
    executors.add(pool);
    return pool;
  }

  /**
   * Ends the executors that are still open and waits for every thread, at most 3 s; those that are
   * left are then interrupted and named in the log.
   */
  @Override
  public void close() {
    closed = true;
    executors.forEach(ThreadPoolExecutor::shutdown);
    try {
      join(ENDING);
      if (!running.isEmpty()) {
        running.forEach(Thread::interrupt);
        join(Duration.ofSeconds(1));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    for (Thread left : running) {
      LOG.log(System.Logger.Level.WARNING, "thread {0} does not end", left.getName());
    }
  }

  private void join(Duration patience) throws InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
    for (Thread thread : running) {
      long millis = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      if (millis > 0 && thread != Thread.currentThread()) {
        thread.join(millis);
      }
    }
  }
}
