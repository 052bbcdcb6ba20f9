package io.runstone.upstream.client;

import io.runstone.upstream.Authorizer;
import io.runstone.upstream.UpstreamException;
import io.runstone.upstream.UpstreamException.Kind;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The requests of one side to one server, and what the server says in between. It begins with the
 * first request, and ends when it is closed or when the server forgot it. Thread-safe.
 */
final class Conversation {
  /** How long what nobody waits for may take. */
  private static final Duration ASIDE = Duration.ofSeconds(5);

  /** A server that asks more at once gets no answers. */
  private static final int MAX_REPLIES = 8;

  private final Wire wire;
  private final Dialect dialect;
  private final AtomicLong ids;
  private final Set<Question> running = ConcurrentHashMap.newKeySet();
  private final Semaphore replies = new Semaphore(MAX_REPLIES);
  private volatile boolean closed;
  private volatile boolean lost;

  /**
   * Begins one.
   *
   * @param ids gives each request its id
   */
  Conversation(Wire wire, Dialect dialect, AtomicLong ids) {
    this.wire = wire;
    this.dialect = dialect;
    this.ids = ids;
  }

  Wire wire() {
    return wire;
  }

  Dialect dialect() {
    return dialect;
  }

  /** Whether the server still knows it, as far as it was heard. */
  boolean isLost() {
    return lost;
  }

  Map<String, String> headers(Ask ask) {
    Map<String, String> headers = new LinkedHashMap<>(ask.headers());
    headers.putAll(dialect.headers(ask.method(), ask.params()));
    return headers;
  }

  /** A question, which its asker can end by {@link #abandon} while it has no answer. */
  Question ask(Ask ask, Authorizer authorizer) {
    Question question = new Question(this, ids.incrementAndGet(), ask, authorizer);
    running.add(question);
    Future<?> deadline =
        wire.after(ask.timeout(), () -> abandon(question, Failures.late(ask.timeout())));
    question
        .answer()
        .whenComplete(
            (answer, failure) -> {
              deadline.cancel(false);
              running.remove(question);
            });
    if (closed || lost) {
      question.end(closed ? Failures.closed() : Failures.lost());
    } else {
      question.start();
    }
    return question;
  }

  /** Gives a question up, and lets the server know; nothing if it has its answer. */
  void abandon(Question question, UpstreamException why) {
    boolean begun = !dialect.version().isEmpty(); // initialize is not to be cancelled
    if (question.end(why) && dialect instanceof Dialect.Legacy && begun && !closed) {
      tell(
          "notifications/cancelled",
          Map.of("requestId", question.id(), "reason", "not wanted any more"),
          question.authorizer());
    } // in the other era the closed stream says so
  }

  /** Says something that has no answer; completes with the HTTP status. */
  CompletableFuture<Integer> tell(
      String method, Map<String, Object> params, Authorizer authorizer) {
    return aside(
        wire.post(
            Messages.notification(method, dialect.params(params)),
            dialect.headers(method, params),
            event -> {}),
        authorizer);
  }

  private CompletableFuture<Integer> aside(Order order, Authorizer authorizer) {
    Transmission transmission = wire.prepare(order, authorizer);
    Future<?> deadline = wire.after(ASIDE, () -> transmission.abort(Failures.late(ASIDE)));
    transmission.reply().whenComplete((reply, failure) -> deadline.cancel(false));
    transmission.start();
    return transmission.reply().thenApply(Reply::status);
  }

  /** Takes a notification or a request of the server, on whichever stream it came. */
  void heard(Map<String, Object> message, Authorizer authorizer) {
    String method = Messages.method(message);
    Object id = message.get("id");
    if (id == null) {
      if (method.equals("notifications/tools/list_changed")) {
        wire.toolsChanged().run();
      }
    } else if (dialect instanceof Dialect.Legacy legacy // the other has no requests of servers
        && (id instanceof Number || id instanceof String)
        && replies.tryAcquire()) {
      aside(
              wire.post(Messages.answer(id, method), legacy.headers(method, Map.of()), event -> {}),
              authorizer)
          .whenComplete((status, failure) -> replies.release());
    }
  }

  /** Takes from an answer what it says of the conversation. */
  void learn(Answer answer) {
    if (Answers.saysLost(answer, dialect)) {
      lost = true;
    }
  }

  /** The server forgot it. */
  void lose() {
    lost = true;
  }

  /** Ends every question, and lets nothing more begin. Idempotent. */
  void close() {
    closed = true;
    UpstreamException why =
        new UpstreamException(
            Kind.CANCELLED, "the call was cancelled, for the session with the server was closed");
    running.forEach(question -> question.end(why));
  }

  /** Tells the server that the session is over; completes whatever it says. */
  CompletableFuture<Void> delete(Authorizer authorizer) {
    if (dialect.session().isEmpty() || lost) {
      return CompletableFuture.completedFuture(null);
    }
    return aside(wire.delete(dialect.headers("", Map.of())), authorizer)
        .handle((status, failure) -> null);
  }
}
