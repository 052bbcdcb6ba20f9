package io.runstone.upstream.client;

import io.runstone.upstream.Authorizer;
import io.runstone.upstream.UpstreamServer;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * What reaches one server. Thread-safe.
 *
 * @param nanoTime tells how much time passed
 * @param toolsChanged is called when the server says that its tools are others
 */
record Wire(
    HttpClients.Lease lease,
    UpstreamServer server,
    ClientSettings settings,
    Json json,
    ScheduledExecutorService timer,
    LongSupplier nanoTime,
    Runnable toolsChanged) {
  /** How often an answer may come in progress messages before it comes as a result. */
  private static final int MESSAGES = 8;

  /** A request that is not sent yet. */
  Transmission prepare(Order order, Authorizer authorizer) {
    return new Transmission(lease, server, settings.maxBytes(), order, authorizer);
  }

  /** A message that is posted. */
  Order post(Map<String, Object> message, Map<String, String> more, Consumer<byte[]> events) {
    Map<String, String> headers = new LinkedHashMap<>(more);
    headers.put("Content-Type", "application/json");
    headers.put("Accept", "application/json, text/event-stream");
    headers.put("User-Agent", userAgent());
    return new Order("POST", headers, Optional.of(json.bytes(message)), events, maxStream());
  }

  private long maxStream() {
    return (long) settings.maxBytes() * MESSAGES;
  }

  /** A stream that is asked for, after the event with an id if that is not empty. */
  Order get(Map<String, String> more, String lastId, Consumer<byte[]> events) {
    Map<String, String> headers = new LinkedHashMap<>(more);
    headers.put("Accept", "text/event-stream");
    headers.put("User-Agent", userAgent());
    if (!lastId.isEmpty()) {
      headers.put("Last-Event-ID", lastId);
    }
    return new Order("GET", headers, Optional.empty(), events, maxStream());
  }

  /** The end of a session. */
  Order delete(Map<String, String> more) {
    Map<String, String> headers = new LinkedHashMap<>(more);
    headers.put("User-Agent", userAgent());
    return new Order("DELETE", headers, Optional.empty(), event -> {}, 0);
  }

  private String userAgent() {
    return settings.name() + "/" + settings.version();
  }

  /** Does something later; never, once the client is closed. It must not block. */
  Future<?> after(Duration delay, Runnable task) {
    try {
      return timer.schedule(task, delay.toMillis(), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      return CompletableFuture.completedFuture(null);
    }
  }
}
