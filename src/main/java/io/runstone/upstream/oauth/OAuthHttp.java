package io.runstone.upstream.oauth;

import io.runstone.concurrent.Threads;
import io.runstone.upstream.TrustedCertificates;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;

/**
 * Requests to authorization servers that may be down, slow or hostile: what an answer takes in time
 * and memory is bounded, and it can't send us anywhere else. Thread-safe; nothing in it waits.
 */
public final class OAuthHttp implements AutoCloseable {
  private static final int MAX_BYTES = 256 * 1024;
  private static final Duration CONNECT = Duration.ofSeconds(5);

  private static final String ACCEPT = "application/json, text/event-stream";
  private static final String TOOLS =
      """
      {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {}}}}
      """;

  private final Executor executor;
  private final Duration patience;
  private final ScheduledThreadPoolExecutor timer;
  private final Map<Optional<Path>, HttpClient> clients = new ConcurrentHashMap<>();

  /** What came back. */
  record Answer(int status, String challenge, String body) {
    boolean isGood() {
      return status >= 200 && status < 300;
    }

    Fields fields() {
      return Fields.parse(body);
    }

    @Override
    public String toString() {
      return "Answer[" + status + "]";
    }
  }

  /**
   * Creates the client.
   *
   * @param executor takes what comes back
   * @param patience how long a whole answer may take
   */
  public OAuthHttp(Threads threads, Executor executor, Duration patience) {
    this.executor = executor;
    this.patience = patience;
    this.timer = threads.timer("upstream-logins-timer");
  }

  /** Fetches what is at an address. */
  CompletionStage<Answer> get(URI uri, Optional<Path> trust) {
    return send(
        HttpRequest.newBuilder(uri).header("Accept", "application/json").GET(), trust, MAX_BYTES);
  }

  /**
   * Asks an MCP server without any login, to hear what login it wants; of the answer only the head
   * is taken. It asks for the tools, which changes nothing: some servers let everybody begin a
   * conversation, and many have no GET.
   */
  CompletionStage<Answer> knock(URI uri, Optional<Path> trust) {
    HttpRequest.Builder question =
        HttpRequest.newBuilder(uri)
            .header("Content-Type", "application/json")
            .header("MCP-Protocol-Version", "2026-07-28")
            .header("Mcp-Method", "tools/list")
            .POST(HttpRequest.BodyPublishers.ofString(TOOLS, StandardCharsets.UTF_8));
    return send(question.header("Accept", ACCEPT), trust, 0)
        .thenCompose(
            answer ->
                answer.challenge().isEmpty()
                    ? send(HttpRequest.newBuilder(uri).header("Accept", ACCEPT).GET(), trust, 0)
                        .exceptionally(failure -> answer)
                    : CompletableFuture.completedStage(answer));
  }

  /** Posts what a builder says besides. */
  CompletionStage<Answer> post(
      HttpRequest.Builder request, String type, String body, Optional<Path> trust) {
    return send(
        request
            .header("Accept", "application/json")
            .header("Content-Type", type)
            .POST(HttpRequest.BodyPublishers.ofString(body, StandardCharsets.UTF_8)),
        trust,
        MAX_BYTES);
  }

  private CompletionStage<Answer> send(
      HttpRequest.Builder request, Optional<Path> trust, int maxBytes) {
    CompletableFuture<Answer> answer = new CompletableFuture<>();
    CompletableFuture<HttpResponse<byte[]>> exchange;
    Future<?> end;
    try {
      exchange =
          client(trust)
              .sendAsync(request.timeout(patience).build(), head -> new LimitedBody(maxBytes));
      end =
          timer.schedule(
              () -> {
                answer.completeExceptionally(late());
                exchange.cancel(true);
              },
              patience.toMillis(),
              TimeUnit.MILLISECONDS);
    } catch (OAuthException e) {
      return CompletableFuture.failedStage(e);
    } catch (RuntimeException e) { // such as while the application ends
      return CompletableFuture.failedStage(
          OAuthException.unusable("it can't be asked (" + e.getClass().getSimpleName() + ")"));
    }
    exchange.whenComplete(
        (response, trouble) -> {
          end.cancel(false);
          if (trouble != null) {
            answer.completeExceptionally(inOurWords(trouble));
          } else {
            String challenge = String.join(", ", response.headers().allValues("WWW-Authenticate"));
            answer.complete(
                new Answer(
                    response.statusCode(),
                    challenge,
                    new String(response.body(), StandardCharsets.UTF_8)));
          }
        });
    return answer;
  }

  private static OAuthException inOurWords(Throwable trouble) {
    Throwable cause = trouble;
    while (cause.getCause() != null && !(cause instanceof OAuthException)) {
      cause = cause.getCause();
    }
    if (cause instanceof OAuthException ours) {
      return ours;
    }
    return cause instanceof HttpTimeoutException
        ? late()
        : OAuthException.unusable("it can't be reached (" + cause.getClass().getSimpleName() + ")");
  }

  private static OAuthException late() {
    return OAuthException.unusable("its answer takes too long");
  }

  private HttpClient client(Optional<Path> trust) {
    return clients.computeIfAbsent(
        trust,
        certificates -> {
          HttpClient.Builder builder =
              HttpClient.newBuilder()
                  .connectTimeout(CONNECT)
                  .followRedirects(HttpClient.Redirect.NEVER)
                  .version(HttpClient.Version.HTTP_1_1)
                  .executor(executor);
          certificates.map(OAuthHttp::trusting).ifPresent(builder::sslContext);
          return Threads.outsideTheApplication(
              builder::build); // its thread keeps a class loader too
        });
  }

  private static SSLContext trusting(Path file) {
    try {
      return TrustedCertificates.read(file);
    } catch (IOException | GeneralSecurityException e) {
      throw OAuthException.unusable("the file of certificates to trust can't be used");
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
    clients.clear();
  }
}
