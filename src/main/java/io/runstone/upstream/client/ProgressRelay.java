package io.runstone.upstream.client;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Hands on what a server says of the progress of one call: in bounds, and not more often than
 * somebody can read it. Thread-safe.
 */
final class ProgressRelay implements Consumer<Map<String, Object>> {
  private static final long INTERVAL = Duration.ofMillis(100).toNanos();
  private static final int MAX_LENGTH = 500;

  private final String token;
  private final Consumer<String> progress;
  private final LongSupplier nanoTime;
  private final AtomicLong next;

  /**
   * Creates a relay.
   *
   * @param token tells the call's progress from that of others
   */
  ProgressRelay(String token, Consumer<String> progress, LongSupplier nanoTime) {
    this.token = token;
    this.progress = progress;
    this.nanoTime = nanoTime;
    this.next = new AtomicLong(nanoTime.getAsLong());
  }

  @Override
  public void accept(Map<String, Object> message) {
    Map<String, Object> params = Json.child(message.get("params"));
    if (!Messages.method(message).equals("notifications/progress")
        || !token.equals(params.get("progressToken"))) {
      return;
    }
    long now = nanoTime.getAsLong();
    long due = next.get();
    if (now - due >= 0 && next.compareAndSet(due, now + INTERVAL)) {
      progress.accept(Failures.clean(text(params), MAX_LENGTH));
    }
  }

  private static String text(Map<String, Object> params) {
    if (params.get("message") instanceof String message && !message.isBlank()) {
      return message;
    }
    String done = String.valueOf(params.get("progress"));
    return params.get("total") instanceof Number total ? done + " of " + total : done;
  }
}
