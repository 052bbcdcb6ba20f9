package io.runstone.upstream.client;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.runstone.upstream.UpstreamException;
import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.function.Consumer;

/**
 * Takes the body of an answer, piece by piece, and stops the server once it is too large. Pieces
 * come one after the other; {@link #cancel} may come at any time.
 */
final class BodyReader implements HttpResponse.BodySubscriber<Received> {
  /** What is read of an answer that only says what went wrong. */
  private static final int MAX_ERROR = 64 * 1024;

  private final HttpResponse.ResponseInfo head;
  private final CompletableFuture<Received> result = new CompletableFuture<>();
  private final boolean json;
  private final boolean truncates;
  private final int maxBytes;
  private final long maxTotal;
  private final Optional<SseParser> parser;
  private final ByteArrayOutputStream whole = new ByteArrayOutputStream();
  private final Object lock = new Object();
  private long total;

  @GuardedBy("lock") private Optional<Flow.Subscription> subscription = Optional.empty();

  @GuardedBy("lock") private boolean over;

  /**
   * Creates a reader.
   *
   * @param head status and headers of the answer
   * @param maxBytes of an answer
   */
  BodyReader(HttpResponse.ResponseInfo head, Order order, int maxBytes) {
    this.head = head;
    String type = mediaType(head.headers().firstValue("Content-Type").orElse(""));
    boolean stream = head.statusCode() == 200 && type.equals("text/event-stream");
    this.json = type.equals("application/json");
    this.truncates = !stream && !(head.statusCode() == 200 && json);
    this.maxBytes = truncates ? Math.min(MAX_ERROR, maxBytes) : maxBytes;
    this.maxTotal = stream ? order.maxStream() : this.maxBytes;
    this.parser = stream ? Optional.of(parser(order.events())) : Optional.empty();
  }

  private SseParser parser(Consumer<byte[]> events) {
    return new SseParser(maxBytes, events);
  }

  private static String mediaType(String header) {
    int end = header.indexOf(';');
    return (end < 0 ? header : header.substring(0, end)).strip().toLowerCase(Locale.ROOT);
  }

  @Override
  public CompletionStage<Received> getBody() {
    return result;
  }

  @Override
  public void onSubscribe(Flow.Subscription given) {
    synchronized (lock) {
      if (!over) {
        subscription = Optional.of(given);
      }
    }
    if (result.isDone()) {
      given.cancel();
    } else {
      given.request(1);
    }
  }

  @Override
  public void onNext(List<ByteBuffer> pieces) {
    for (ByteBuffer piece : pieces) {
      if (!result.isDone() && !take(piece)) {
        if (truncates) {
          result.complete(received());
        } else {
          result.completeExceptionally(Failures.tooLarge(maxBytes));
        }
        stop();
      }
    }
    if (!result.isDone()) {
      request();
    }
  }

  private boolean take(ByteBuffer piece) {
    total += piece.remaining();
    if (parser.isPresent()) {
      return total <= maxTotal && parser.orElseThrow().accept(piece);
    }
    byte[] bytes = new byte[Math.min(piece.remaining(), maxBytes - whole.size())];
    piece.get(bytes);
    whole.write(bytes, 0, bytes.length);
    return total <= maxTotal;
  }

  private void request() {
    Optional<Flow.Subscription> current;
    synchronized (lock) {
      current = subscription;
    }
    current.ifPresent(one -> one.request(1));
  }

  @Override
  public void onError(Throwable failure) {
    forget();
    // A stream that broke may be taken up again, so what is known of it is told either way.
    if (parser.isPresent()) {
      result.complete(received());
    } else {
      result.completeExceptionally(failure);
    }
  }

  @Override
  public void onComplete() {
    forget();
    result.complete(received());
  }

  private Received received() {
    return parser.isPresent()
        ? new Received.Streamed(parser.orElseThrow().lastId(), parser.orElseThrow().retry())
        : new Received.Whole(json, whole.toByteArray());
  }

  /** A header of the answer, or an empty text. */
  String header(String name) {
    return head.headers().firstValue(name).orElse("");
  }

  /** The answer, if there is something to make of it although its connection broke. */
  Optional<Reply> broken() {
    return result.isDone() && !result.isCompletedExceptionally()
        ? Optional.of(new Reply(head.statusCode(), head.headers(), result.join()))
        : Optional.empty();
  }

  /** Reads no more, and closes the connection. */
  void cancel(UpstreamException why) {
    result.completeExceptionally(why);
    stop();
  }

  private void stop() {
    forget().ifPresent(Flow.Subscription::cancel);
  }

  /** What is left of an answer keeps no connection. */
  private Optional<Flow.Subscription> forget() {
    synchronized (lock) {
      Optional<Flow.Subscription> current = subscription;
      over = true;
      subscription = Optional.empty();
      return current;
    }
  }
}
