package io.runstone.upstream.client;

import io.runstone.upstream.Authorizer;
import io.runstone.upstream.UpstreamException;
import io.runstone.upstream.UpstreamServer;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * One HTTP request, from asking what proves it to the last byte of its answer. It is sent once, and
 * once more only if the server refused it with 401 or 403 and the credentials have something new to
 * say: a refused request was not carried out. Thread-safe.
 */
final class Transmission {
  private static final int MAX_CHALLENGE = 4096;

  private final HttpClients.Lease lease;
  private final UpstreamServer server;
  private final int maxBytes;
  private final Order order;
  private final Authorizer authorizer;
  private final CompletableFuture<Reply> reply = new CompletableFuture<>();
  private volatile Optional<CompletableFuture<?>> exchange = Optional.empty();
  private volatile Optional<BodyReader> reader = Optional.empty();

  /** One that is not sent yet. */
  Transmission(
      HttpClients.Lease lease,
      UpstreamServer server,
      int maxBytes,
      Order order,
      Authorizer authorizer) {
    this.lease = lease;
    this.server = server;
    this.maxBytes = maxBytes;
    this.order = order;
    this.authorizer = authorizer;
  }

  /** Sends the request. */
  void start() {
    attempt(true);
  }

  /** The answer, or an {@link UpstreamException}. A broken stream counts as ended. */
  CompletableFuture<Reply> reply() {
    return reply;
  }

  /** A header of the answer that is arriving, or an empty text. */
  String header(String name) {
    return reader.map(one -> one.header(name)).orElse("");
  }

  /** Ends it wherever it is, and closes its connection; nothing if it is over. */
  void abort(UpstreamException why) {
    if (reply.completeExceptionally(why)) {
      reader.ifPresent(one -> one.cancel(why));
      exchange.ifPresent(one -> one.cancel(true));
    }
  }

  private void attempt(boolean mayRepeat) {
    if (reply.isDone()) {
      return;
    }
    guarded(
        () ->
            authorizer
                .header()
                .whenComplete(
                    (header, failure) -> {
                      if (failure != null) {
                        fail(failure);
                      } else {
                        guarded(() -> send(header, mayRepeat));
                      }
                    }));
  }

  /** Whoever waits has to hear of whatever goes wrong, also where nothing should. */
  private void guarded(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException e) {
      fail(e);
    }
  }

  private void send(Optional<String> header, boolean mayRepeat) {
    if (reply.isDone()) {
      return;
    }
    Optional<HttpRequest> request = request(header);
    if (request.isEmpty()) {
      fail(
          new UpstreamException(
              UpstreamException.Kind.UNAVAILABLE,
              "the request can't be sent: its credentials or the session of the server can't be put"
                  + " into a header; ask the administrator"));
      return;
    }
    Optional<HttpClient> client = lease.client();
    if (client.isEmpty()) {
      fail(Failures.closed());
      return;
    }
    reader = Optional.empty();
    CompletableFuture<HttpResponse<Received>> sent =
        client.orElseThrow().sendAsync(request.orElseThrow(), this::read);
    exchange = Optional.of(sent);
    if (reply.isDone()) {
      sent.cancel(true);
    }
    sent.whenComplete(
        (response, failure) -> {
          exchange = Optional.empty();
          if (failure == null) {
            take(new Reply(response.statusCode(), response.headers(), response.body()), mayRepeat);
            return;
          }
          Optional<Reply> broken = reader.flatMap(BodyReader::broken);
          if (broken.isPresent()) {
            take(broken.orElseThrow(), mayRepeat);
          } else {
            fail(Failures.ofExchange(failure));
          }
        });
  }

  /** Empty if a value can't stand in a header; the exception's message would have that value. */
  private Optional<HttpRequest> request(Optional<String> header) {
    HttpRequest.BodyPublisher body =
        order
            .body()
            .map(HttpRequest.BodyPublishers::ofByteArray)
            .orElseGet(HttpRequest.BodyPublishers::noBody);
    HttpRequest.Builder builder = HttpRequest.newBuilder(server.url()).method(order.method(), body);
    try {
      for (Map.Entry<String, String> one : order.headers().entrySet()) {
        builder.setHeader(one.getKey(), one.getValue());
      }
      header.ifPresent(value -> builder.setHeader("Authorization", value));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
    return Optional.of(builder.build());
  }

  private HttpResponse.BodySubscriber<Received> read(HttpResponse.ResponseInfo head) {
    BodyReader made = new BodyReader(head, order, maxBytes);
    reader = Optional.of(made);
    if (reply.isDone()) {
      made.cancel(Failures.closed());
    }
    return made;
  }

  private void take(Reply answer, boolean mayRepeat) {
    int status = answer.status();
    if (status != 401 && status != 403) {
      reply.complete(answer);
      return;
    }
    String challenge = String.join(", ", answer.headers().allValues("WWW-Authenticate"));
    guarded(
        () ->
            authorizer
                .refused(
                    status,
                    challenge.length() > MAX_CHALLENGE
                        ? challenge.substring(0, MAX_CHALLENGE)
                        : challenge)
                .whenComplete(
                    (again, failure) -> {
                      if (failure != null) {
                        fail(failure);
                      } else if (again && mayRepeat) {
                        attempt(false);
                      } else {
                        fail(
                            new UpstreamException(
                                UpstreamException.Kind.FORBIDDEN,
                                "the server refuses the request (HTTP "
                                    + status
                                    + ") whatever proves it; ask its administrator"));
                      }
                    }));
  }

  private void fail(Throwable failure) {
    reply.completeExceptionally(Failures.of(failure));
  }
}
