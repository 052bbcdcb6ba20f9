package io.runstone.upstream.client;

import io.runstone.upstream.Authorizer;
import io.runstone.upstream.UpstreamException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Listens for a server's word that its tools are others, for as long as the conversation lasts: on
 * a {@code GET} stream, or by {@code subscriptions/listen} in 2026-07-28. A server that offers no
 * such stream is left alone; one whose stream broke is asked again, less and less often.
 * Thread-safe.
 */
final class ToolsListener {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final Duration FIRST = Duration.ofSeconds(1);
  private static final int MAX_DOUBLINGS = 6;

  /** A stream that lasted so long was a good one. */
  private static final long GOOD_NANOS = Duration.ofSeconds(20).toNanos();

  private final Conversation conversation;
  private final Authorizer authorizer;
  private final long id;
  private volatile Optional<Transmission> transmission = Optional.empty();
  private volatile boolean stopped;

  /** Transmissions follow each other, so each of these has one writer at a time. */
  private volatile String lastId = "";

  private volatile Duration retry = FIRST;
  private volatile int failures;
  private volatile long began;

  /**
   * Creates a listener.
   *
   * @param id of its request, where it needs one
   */
  ToolsListener(Conversation conversation, Authorizer authorizer, long id) {
    this.conversation = conversation;
    this.authorizer = authorizer;
    this.id = id;
  }

  /** Begins to listen. */
  void start() {
    Transmission next = conversation.wire().prepare(order(), authorizer);
    began = conversation.wire().nanoTime().getAsLong();
    transmission = Optional.of(next);
    if (!stopped) {
      next.reply().whenComplete(this::ended);
      next.start();
    }
  }

  private Order order() {
    Wire wire = conversation.wire();
    Dialect dialect = conversation.dialect();
    if (dialect instanceof Dialect.Legacy) {
      return wire.get(dialect.headers("", Map.of()), lastId, this::event).endless();
    }
    String method = "subscriptions/listen";
    Map<String, Object> params =
        dialect.params(Map.of("notifications", Map.of("toolsListChanged", true)));
    return wire.post(
            Messages.request(id, method, params), dialect.headers(method, params), this::event)
        .endless();
  }

  private void event(byte[] data) {
    if (!stopped && data.length > 0) {
      conversation
          .wire()
          .json()
          .object(data)
          .filter(message -> !Messages.method(message).isEmpty())
          .ifPresent(message -> conversation.heard(message, authorizer));
    }
  }

  private void ended(@Nullable Reply reply, @Nullable Throwable failure) {
    if (stopped || conversation.isLost()) {
      return;
    } else if (reply == null) {
      if (failure != null && Failures.of(failure).isTransport()) {
        again();
      } // else there are no credentials for it, or not any more
    } else if (reply.received() instanceof Received.Streamed stream) {
      if (!stream.lastId().isEmpty()) {
        lastId = stream.lastId();
      }
      retry = stream.retry().orElse(retry);
      again();
    } else if (reply.status() == 404 && conversation.dialect().session().isPresent()) {
      conversation.lose();
    } else if (reply.status() >= 500) {
      again();
    }
  }

  private void again() {
    boolean good = conversation.wire().nanoTime().getAsLong() - began >= GOOD_NANOS;
    int doublings = good ? 0 : Math.min(failures, MAX_DOUBLINGS);
    failures = good ? 1 : doublings + 1;
    long millis = retry.toMillis() << doublings;
    conversation
        .wire()
        .after(Duration.ofMillis(millis + (long) (millis * RANDOM.nextDouble() / 2)), this::reopen);
  }

  private void reopen() {
    if (!stopped) {
      start();
      if (lastId.isEmpty()) {
        conversation.wire().toolsChanged().run(); // it may have said so while nobody listened
      }
    }
  }

  /** Listens no more. Idempotent. */
  void stop(UpstreamException why) {
    stopped = true;
    transmission.ifPresent(one -> one.abort(why));
  }
}
