package io.runstone.upstream.client;

import io.runstone.upstream.Authorizer;
import io.runstone.upstream.UpstreamException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One request, from its POST to its answer. It is posted once. A stream that breaks before the
 * answer is taken up again if the server numbers its events. Thread-safe.
 */
final class Question {
  private static final int MAX_RESUMPTIONS = 5;
  private static final Duration RETRY = Duration.ofMillis(500);

  /** After the answer a server should end the stream, so that the connection can be used again. */
  private static final Duration END = Duration.ofSeconds(1);

  private final Conversation conversation;
  private final long id;
  private final Ask ask;
  private final Authorizer authorizer;
  private final CompletableFuture<Answer> answer = new CompletableFuture<>();
  private volatile Optional<Transmission> transmission = Optional.empty();

  /** Where the stream can be taken up again. Transmissions of a question follow each other. */
  private volatile String lastId = "";

  private volatile Duration retry = RETRY;
  private final AtomicInteger resumptions = new AtomicInteger();

  Question(Conversation conversation, long id, Ask ask, Authorizer authorizer) {
    this.conversation = conversation;
    this.id = id;
    this.ask = ask;
    this.authorizer = authorizer;
  }

  long id() {
    return id;
  }

  /** The answer, or an {@link UpstreamException}. */
  CompletableFuture<Answer> answer() {
    return answer;
  }

  Authorizer authorizer() {
    return authorizer;
  }

  /** Sends it. */
  void start() {
    send(
        conversation
            .wire()
            .post(
                Messages.request(id, ask.method(), conversation.dialect().params(ask.params())),
                conversation.headers(ask),
                this::event));
  }

  /**
   * Ends it without an answer.
   *
   * @return whether it was not over yet
   */
  boolean end(UpstreamException why) {
    boolean ended = answer.completeExceptionally(why);
    transmission.ifPresent(one -> one.abort(why));
    return ended;
  }

  private void send(Order order) {
    Transmission next = conversation.wire().prepare(order, authorizer);
    transmission = Optional.of(next);
    if (answer.isDone()) {
      return;
    }
    next.reply().whenComplete(this::ended);
    next.start();
  }

  private void event(byte[] data) {
    if (data.length == 0 || answer.isDone()) {
      return;
    }
    Optional<Map<String, Object>> message = conversation.wire().json().object(data);
    if (message.isEmpty()) {
      garbage("an event is not JSON");
    } else {
      take(message.orElseThrow(), data.length, 200);
    }
    if (isGarbage()) {
      transmission.ifPresent(one -> one.abort(Failures.closed()));
    } else if (answer.isDone()) {
      endStream();
    }
  }

  private boolean isGarbage() {
    return answer.isDone()
        && !answer.isCompletedExceptionally()
        && answer.join() instanceof Answer.Garbage;
  }

  private void endStream() {
    Optional<Transmission> current = transmission;
    if (current.isPresent()) {
      Transmission open = current.orElseThrow();
      Future<?> close = conversation.wire().after(END, () -> open.abort(Failures.closed()));
      open.reply().whenComplete((reply, failure) -> close.cancel(false));
    }
  }

  private void take(Map<String, Object> message, long bytes, int status) {
    if (!Messages.method(message).isEmpty()) {
      conversation.heard(message, authorizer);
      ask.notifications().accept(message);
    } else if (!Messages.isId(message.get("id"), id) && !isErrorOfNobody(message, status)) {
      if (resumptions.get() == 0) {
        garbage("the answer is to another request");
      }
    } else if (message.get("error") instanceof Map<?, ?> error) {
      conclude(
          new Answer.Refusal(
              status,
              error.get("code") instanceof Number code ? code.longValue() : 0,
              error.get("message") instanceof String text ? text : "",
              error.get("data")));
    } else if (message.get("result") instanceof Map<?, ?>) {
      conclude(
          new Answer.Result(Json.child(message.get("result")), bytes, header("Mcp-Session-Id")));
    } else {
      garbage("the answer is neither a result nor an error");
    }
  }

  /** A request that could not be read is refused without its id. */
  private static boolean isErrorOfNobody(Map<String, Object> message, int status) {
    return status >= 400 && message.get("id") == null && message.containsKey("error");
  }

  private String header(String name) {
    return transmission.map(one -> one.header(name)).orElse("");
  }

  private void garbage(String what) {
    conclude(new Answer.Garbage(what));
  }

  /** Whoever waits for the answer finds the conversation as the answer left it. */
  private void conclude(Answer said) {
    conversation.learn(said);
    answer.complete(said);
  }

  private void ended(@Nullable Reply reply, @Nullable Throwable failure) {
    if (answer.isDone()) {
      return;
    } else if (reply == null) {
      UpstreamException why = Failures.of(failure == null ? Failures.closed() : failure);
      if (!(why.isTransport() && resume())) {
        answer.completeExceptionally(why);
      }
    } else if (reply.received() instanceof Received.Streamed stream) {
      broken(stream);
    } else if (reply.received() instanceof Received.Whole whole) {
      whole(reply, whole);
    }
  }

  private void broken(Received.Streamed stream) {
    if (!stream.lastId().isEmpty()) {
      lastId = stream.lastId();
    }
    retry = stream.retry().orElse(retry);
    if (!resume()) {
      answer.completeExceptionally(
          UpstreamException.transport(
              "the server ended the stream before it answered; whether it did what was asked is not"
                  + " known"));
    }
  }

  /** Takes the stream up again, if that can be. */
  private boolean resume() {
    if (lastId.isEmpty()
        || conversation.dialect() instanceof Dialect.Modern
        || resumptions.get() >= MAX_RESUMPTIONS) {
      return false;
    }
    resumptions.incrementAndGet();
    Map<String, String> headers = conversation.dialect().headers(ask.method(), ask.params());
    conversation
        .wire()
        .after(retry, () -> send(conversation.wire().get(headers, lastId, this::event)));
    return true;
  }

  private void whole(Reply reply, Received.Whole whole) {
    int status = reply.status();
    Optional<Map<String, Object>> message =
        whole.isJson() ? conversation.wire().json().object(whole.bytes()) : Optional.empty();
    if (status >= 200 && status < 300) {
      if (message.isPresent()) {
        take(message.orElseThrow(), whole.bytes().length, status);
      }
      if (!answer.isDone()) {
        garbage(
            message.isPresent() || !whole.isJson()
                ? "the answer has none of the forms of MCP"
                : "the answer is not JSON");
      }
      return;
    }
    Optional<Map<String, Object>> refusal =
        message
            .filter(error -> error.get("error") instanceof Map<?, ?>)
            .filter(error -> Messages.isId(error.get("id"), id) || error.get("id") == null)
            .filter(error -> resumptions.get() == 0);
    if (refusal.isPresent()) {
      take(refusal.orElseThrow(), whole.bytes().length, status);
    } else {
      conclude(new Answer.Status(status, reply.header("Retry-After")));
    }
  }
}
