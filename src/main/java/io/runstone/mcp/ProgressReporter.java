package io.runstone.mcp;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.modelcontextprotocol.server.McpAsyncServerExchange;
import io.modelcontextprotocol.spec.McpSchema.ProgressNotification;
import io.runstone.kernel.Output;
import io.runstone.kernel.OutputListener;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Sends a cell's output as progress while it runs. What comes within a short time is sent as one
 * notification, and of a flood only the end, so that neither client nor heap is flooded; the result
 * has all of it. Thread-safe.
 */
final class ProgressReporter implements OutputListener, AutoCloseable {
  private static final long COALESCE_MILLIS = 50;
  private static final int MAX_MESSAGE = 4096;

  private final McpAsyncServerExchange exchange;
  private final Object token;
  private final ScheduledExecutorService timer;
  private final Object lock = new Object();

  @GuardedBy("lock") private final StringBuilder text = new StringBuilder();

  @GuardedBy("lock") private boolean scheduled;

  @GuardedBy("lock") private boolean closed;

  @GuardedBy("lock") private double sent;

  ProgressReporter(McpAsyncServerExchange exchange, Object token, ScheduledExecutorService timer) {
    this.exchange = exchange;
    this.token = token;
    this.timer = timer;
  }

  @Override
  public void onOutput(Output.Stream output) {
    synchronized (lock) {
      if (closed) {
        return;
      }
      text.append(output.text());
      if (text.length() > MAX_MESSAGE) {
        text.delete(0, text.length() - MAX_MESSAGE);
      }
      if (scheduled) {
        return;
      }
      scheduled = true;
    }
    try {
      timer.schedule(this::send, COALESCE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      close(); // the server is shutting down
    }
  }

  private void send() {
    ProgressNotification progress;
    synchronized (lock) {
      scheduled = false;
      if (closed || text.isEmpty()) {
        return;
      }
      progress = new ProgressNotification(token, ++sent, null, text.toString(), null);
      text.setLength(0);
    }
    exchange.progressNotification(progress).subscribe(done -> {}, failure -> close());
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
