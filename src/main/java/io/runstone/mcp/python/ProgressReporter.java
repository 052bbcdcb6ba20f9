package io.runstone.mcp.python;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.runstone.kernel.Output;
import io.runstone.kernel.OutputListener;
import io.runstone.mcp.feature.ToolCall;
import java.util.OptionalDouble;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Sends a cell's output as progress while it runs, on lines of their own in brackets what it waits
 * for, and the elapsed time when it is quiet; the value of the progress is the elapsed time in
 * seconds. What comes within a short time is sent as one notification, and of a flood only the end,
 * so that neither client nor heap is flooded; the result has all of it. Thread-safe.
 */
final class ProgressReporter implements OutputListener, AutoCloseable {
  private static final long COALESCE_MILLIS = 50;

  /** Clients give up after 60 s without progress, or earlier. */
  private static final long QUIET_MILLIS = 5000;

  private static final int MAX_MESSAGE = 4096;

  private final ToolCall call;
  private final ScheduledExecutorService timer;
  private final long started = System.nanoTime();
  private final Object lock = new Object();

  @GuardedBy("lock") private final StringBuilder text = new StringBuilder();

  @GuardedBy("lock") private boolean scheduled;

  @GuardedBy("lock") private boolean closed;

  @GuardedBy("lock") private long sent;

  ProgressReporter(ToolCall call, ScheduledExecutorService timer) {
    this.call = call;
    this.timer = timer;
    later(() -> stillRunning(0), QUIET_MILLIS);
  }

  @Override
  public void onOutput(Output.Stream output) {
    add(output.text(), false);
  }

  @Override
  public void onNote(String note) {
    add("[" + note + "]\n", true);
  }

  private void add(String more, boolean onLineOfItsOwn) {
    synchronized (lock) {
      if (closed) {
        return;
      }
      if (onLineOfItsOwn && !text.isEmpty() && text.charAt(text.length() - 1) != '\n') {
        text.append('\n');
      }
      text.append(more);
      if (text.length() > MAX_MESSAGE) {
        text.delete(0, text.length() - MAX_MESSAGE);
      }
      if (scheduled) {
        return;
      }
      scheduled = true;
    }
    later(this::sendText, COALESCE_MILLIS);
  }

  private void later(Runnable work, long millis) {
    try {
      timer.schedule(work, millis, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      close(); // the server is shutting down
    }
  }

  private void sendText() {
    synchronized (lock) {
      scheduled = false;
      if (!closed && !text.isEmpty()) {
        send(text.toString());
        text.setLength(0);
      }
    }
  }

  private void stillRunning(long sentBefore) {
    long now;
    synchronized (lock) {
      if (closed) {
        return;
      }
      if (sent == sentBefore) {
        send("running for " + Math.round(elapsed()) + " s");
      }
      now = sent;
    }
    later(() -> stillRunning(now), QUIET_MILLIS);
  }

  /** In order, so under the lock; a notification is only put into a queue. */
  @GuardedBy("lock") private void send(String message) {
    sent++;
    call.progress(elapsed(), OptionalDouble.empty(), message);
  }

  private double elapsed() {
    return (System.nanoTime() - started) / 1e9;
  }

  /** Sends nothing more: the result is next. */
  @Override
  public void close() {
    synchronized (lock) {
      closed = true;
      text.setLength(0);
    }
  }
}
