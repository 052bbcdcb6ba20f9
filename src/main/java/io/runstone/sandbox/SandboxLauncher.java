package io.runstone.sandbox;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * Starts sandboxes at one level, until it is closed and all of them end. Thread-safe.
 *
 * <p>All are started by one thread, which lives as long as the launcher: the kernel delivers the
 * parent-death signal, by which no sandbox outlives the server, when the <em>thread</em> that
 * started a process ends.
 */
public final class SandboxLauncher implements AutoCloseable {
  private static final Logger LOG = System.getLogger(SandboxLauncher.class.getName());
  private static final Duration ENDING = Duration.ofSeconds(2);

  /** What the launch thread is told. */
  private sealed interface Message permits Order, Ended, Stop {}

  private record Order(SandboxPolicy policy, CompletableFuture<SandboxProcess> process)
      implements Message {}

  private record Ended(ControlGroup group) implements Message {}

  private record Stop() implements Message {}

  private final SandboxHost host;
  private final SandboxLevel level;
  private final ControlGroups groups;
  private final Thread thread;
  private final BlockingQueue<Message> messages = new LinkedBlockingQueue<>();
  private final Object lock = new Object();

  @GuardedBy("lock") private final Set<SandboxProcess> open = new HashSet<>();

  @GuardedBy("lock") private boolean closed;

  /**
   * Finds out which limits can be put in force here, which takes some milliseconds; takes one
   * thread from the factory, which must give platform threads, and starts it.
   *
   * @param controlGroups whether a control group is made for each sandbox, where that is possible
   * @throws IllegalStateException if the factory gives none
   */
  public SandboxLauncher(
      SandboxHost host, SandboxLevel level, boolean controlGroups, ThreadFactory threads) {
    this(
        host,
        level,
        controlGroups
            ? ControlGroupProbe.find(host)
            : ControlGroups.none("control groups are turned off", Optional.empty()),
        threads);
  }

  SandboxLauncher(
      SandboxHost host, SandboxLevel level, ControlGroups groups, ThreadFactory threads) {
    this.host = host;
    this.level = level;
    this.groups = groups;
    Thread made = threads.newThread(this::work);
    if (made == null) {
      throw new IllegalStateException("the thread factory refused the sandbox launch thread");
    }
    made.setName("runstone-sandbox-launch");
    thread = made;
    thread.start();
  }

  /**
   * Starts a sandbox. Waits for nothing the program does: a program that cannot start shows by its
   * exit and {@link SandboxProcess#diagnostics}.
   *
   * @return completes on the launch thread, so what follows and takes long has to be an {@code
   *     …Async} stage; fails with {@link SandboxException} if the process cannot be started or the
   *     launcher is closed
   */
  public CompletionStage<SandboxProcess> launch(SandboxPolicy policy) {
    Order order = new Order(policy, new CompletableFuture<>());
    synchronized (lock) {
      if (closed) {
        return CompletableFuture.failedStage(closedException());
      }
      messages.add(order);
    }
    return order.process();
  }

  /** The level everything is started at. */
  public SandboxLevel level() {
    return level;
  }

  /** What enforces {@link SandboxPolicy#limits} for everything started. */
  public LimitStatus limits() {
    return groups.status();
  }

  /** How many sandboxes run now. */
  public int running() {
    synchronized (lock) {
      return (int) open.stream().filter(SandboxProcess::isAlive).count();
    }
  }

  /** Kills every sandbox it started and ends its thread; idempotent, waits at most 2 s. */
  @Override
  public void close() {
    List<SandboxProcess> left;
    synchronized (lock) {
      closed = true;
      messages.add(new Stop());
      left = List.copyOf(open);
    }
    left.forEach(SandboxProcess::close);
    if (Thread.currentThread() != thread) {
      try {
        thread.join(ENDING.toMillis());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static SandboxException closedException() {
    return new SandboxException("the server is stopping, no sandbox is started any more");
  }

  private void work() {
    GroupRemoval removal = new GroupRemoval();
    Optional<SandboxStart> start = Optional.empty();
    try {
      removal.addLeftOvers(groups);
      for (Message next = take(removal); !(next instanceof Stop); next = take(removal)) {
        if (next instanceof Order order) {
          start = serve(order, start);
        } else if (next instanceof Ended ended) {
          removal.add(ended.group());
        }
      }
    } catch (InterruptedException e) {
      // A container that stops the application interrupts its threads: the same as close().
      Thread.currentThread().interrupt();
    } finally {
      end(start, removal);
    }
  }

  /** The next message; removes groups meanwhile. */
  private Message take(GroupRemoval removal) throws InterruptedException {
    while (removal.attempt()) {
      Message message = messages.poll(GroupRemoval.PAUSE.toMillis(), TimeUnit.MILLISECONDS);
      if (message != null) {
        return message;
      }
    }
    return messages.take();
  }

  /** Returns what is ready for the next order; the first one prepares it. */
  private Optional<SandboxStart> serve(Order order, Optional<SandboxStart> prepared) {
    Optional<SandboxStart> start = prepared;
    try {
      if (start.isEmpty()) {
        start = Optional.of(SandboxStart.prepare(host, level, groups));
      }
      order.process().complete(registered(start.orElseThrow(), order.policy()));
    } catch (SandboxException e) {
      order.process().completeExceptionally(e);
    } catch (IOException | RuntimeException e) {
      order
          .process()
          .completeExceptionally(
              new SandboxException("cannot start a sandbox (" + level.label() + "): " + e, e));
    }
    return start;
  }

  private SandboxProcess registered(SandboxStart start, SandboxPolicy policy)
      throws IOException, SandboxException {
    SandboxProcess sandbox =
        start.start(policy, this::forget, group -> messages.add(new Ended(group)));
    synchronized (lock) {
      if (!closed) {
        open.add(sandbox);
        return sandbox;
      }
    }
    sandbox.close();
    throw closedException();
  }

  private void forget(SandboxProcess sandbox) {
    synchronized (lock) {
      open.remove(sandbox);
    }
  }

  private void end(Optional<SandboxStart> start, GroupRemoval removal) {
    List<SandboxProcess> left;
    synchronized (lock) {
      closed = true;
      left = List.copyOf(open);
    }
    left.forEach(SandboxProcess::close);
    removal.finish(() -> drain(removal));
    start.ifPresent(
        prepared -> {
          try {
            prepared.close();
          } catch (IOException e) {
            LOG.log(Level.WARNING, "cannot delete the sandboxes' run directory", e);
          }
        });
  }

  /** Whether every sandbox has been closed and told its end. */
  private boolean drain(GroupRemoval removal) {
    boolean allClosed;
    synchronized (lock) {
      allClosed = open.isEmpty(); // each told its end before it was forgotten
    }
    for (Message message = messages.poll(); message != null; message = messages.poll()) {
      if (message instanceof Order late) {
        late.process().completeExceptionally(closedException());
      } else if (message instanceof Ended ended) {
        removal.add(ended.group());
      }
    }
    return allClosed;
  }
}
