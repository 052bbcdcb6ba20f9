package io.runstone.security.audit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.runstone.concurrent.Threads;
import io.runstone.config.Settings;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A log in files, written by a thread of its own from construction to {@link #close}. Thread-safe.
 *
 * <p>What waits to be written is bounded, except for the ends of what was begun. When the files
 * can't be written, lines that had to come first are given up, so that what they tell of is not
 * done; the others are kept and tried again every second.
 */
public final class FileAuditLog implements AuditLog {
  private static final System.Logger LOG = System.getLogger(FileAuditLog.class.getName());
  private static final int ROOM = 8192;
  private static final long END_SECONDS = 5;
  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final CountDownLatch ended = new CountDownLatch(1);
  private final WriterHealth health = new WriterHealth();
  private final AuditWriter writer;
  private final int room;
  private final Object lock = new Object();

  @GuardedBy("lock") private final ArrayDeque<AuditEntry> waiting = new ArrayDeque<>();

  @GuardedBy("lock") private long lost;

  @GuardedBy("lock") private boolean closing;

  /** While closing, files that can't be written are tried once more and not again. */
  @GuardedBy("lock") private boolean tried;

  FileAuditLog(LineStore store, int room, Threads threads, Clock clock) {
    this.room = room;
    this.writer = new AuditWriter(store, clock, health);
    threads.named("audit").newThread(this::run).start();
  }

  /** Opens the log that is configured. */
  public static AuditLog open(Settings.Audit settings, Threads threads, Clock clock) {
    if (!settings.on()) {
      return OFF;
    }
    AuditFile file =
        new AuditFile(
            new LogFiles(settings.file()),
            new AuditFile.Limits(settings.maxBytes(), settings.maxFiles(), settings.sync()),
            AuditChannel::of);
    return new FileAuditLog(file, ROOM, threads, clock);
  }

  @Override
  public void record(AuditEvent event) {
    synchronized (lock) {
      if (closing || waiting.size() >= room) {
        lost++;
      } else {
        add(new AuditEntry(event));
      }
    }
  }

  @Override
  public CompletionStage<Void> recordBefore(AuditEvent event) {
    synchronized (lock) {
      if (state() == AuditState.FAILING) {
        return CompletableFuture.failedStage(new IOException("the log can't be written"));
      } else if (closing || waiting.size() >= room) {
        return CompletableFuture.failedStage(new IOException("too much waits for the log"));
      }
      CompletableFuture<Void> written = new CompletableFuture<>();
      add(new AuditEntry(event, Optional.of(written)));
      return written;
    }
  }

  @Override
  public void recordEnd(AuditEvent event) {
    synchronized (lock) {
      if (closing) {
        lost++;
      } else {
        add(new AuditEntry(event));
      }
    }
  }

  @GuardedBy("lock") private void add(AuditEntry entry) {
    waiting.add(entry);
    lock.notifyAll();
  }

  @Override
  public AuditState state() {
    return health.isFailing() || ended.getCount() == 0 ? AuditState.FAILING : AuditState.OK;
  }

  private void run() {
    try {
      writer.write(); // opens it
      while (next()) {
        writer.write();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      finish();
    }
  }

  /**
   * Waits for something to write, or after a failure for the time to try again, and takes it.
   *
   * @return false when all is done, or nothing more can be done
   */
  private boolean next() throws InterruptedException {
    synchronized (lock) {
      long retryAt = System.nanoTime() + RETRY_NANOS;
      while (!closing && (health.isFailing() || waiting.isEmpty())) {
        long left = health.isFailing() ? retryAt - System.nanoTime() : RETRY_NANOS;
        if (left <= 0) {
          break;
        }
        TimeUnit.NANOSECONDS.timedWait(lock, left);
      }
      if (closing && (tried || waiting.isEmpty())) {
        return false;
      }
      tried = closing && health.isFailing();
      writer.take(waiting, lost);
      lost = 0;
      return true;
    }
  }

  private void finish() {
    int left;
    synchronized (lock) {
      closing = true;
      writer.take(waiting, lost);
      left = waiting.size();
      waiting.forEach(entry -> entry.giveUp(new IOException("the server is shutting down")));
      waiting.clear();
    }
    writer.close(left);
    ended.countDown();
  }

  @Override
  public void close() {
    synchronized (lock) {
      closing = true;
      lock.notifyAll();
    }
    try {
      if (!ended.await(END_SECONDS, TimeUnit.SECONDS)) {
        LOG.log(System.Logger.Level.ERROR, "the audit log did not take its last lines in time");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
