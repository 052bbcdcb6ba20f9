package io.runstone.upstream.client;

import static io.runstone.upstream.client.ClientFixture.call;
import static io.runstone.upstream.client.ClientFixture.failure;
import static io.runstone.upstream.client.ClientFixture.get;
import static io.runstone.upstream.client.ClientFixture.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.runstone.upstream.Authorizer;
import io.runstone.upstream.UpstreamConnection;
import io.runstone.upstream.UpstreamException;
import io.runstone.upstream.UpstreamException.Kind;
import io.runstone.upstream.client.ScriptedServer.Request;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What proves requests is asked for each of them, and hears of each that is refused. */
@Timeout(60)
class AuthorizationTest {
  private final ClientFixture client = new ClientFixture();

  @AfterEach
  void close() {
    client.close();
  }

  /** Gives another token each time. */
  private static final class Counting implements Authorizer {
    final AtomicInteger given = new AtomicInteger();
    final List<String> refusals = new CopyOnWriteArrayList<>();
    volatile boolean refreshes;

    @Override
    public CompletionStage<Optional<String>> header() {
      return CompletableFuture.completedStage(
          Optional.of("Bearer token-" + given.incrementAndGet()));
    }

    @Override
    public CompletionStage<Boolean> refused(int status, String challenge) {
      refusals.add(status + " " + challenge);
      return refreshes
          ? CompletableFuture.completedStage(true)
          : CompletableFuture.failedStage(
              new UpstreamException(Kind.SCOPE_REQUIRED, "more is needed"));
    }
  }

  @Test
  void everyRequestHasATokenOfItsOwn() throws Exception {
    Counting tokens = new Counting();
    try (ScriptedServer server = new ScriptedServer(McpScript.legacy())) {
      UpstreamConnection connection = client.connect(server.url(), tokens);
      for (int i = 0; i < 5; i++) {
        get(connection.call(call("echo", Map.of()), tokens));
      }
      get(connection.listTools(tokens));
      get(connection.close(tokens));

      assertThat(server.requests()).hasSize(10);
      assertThat(server.requests())
          .extracting(request -> request.header("Authorization"))
          .allMatch(header -> header.startsWith("Bearer token-"))
          .doesNotHaveDuplicates();
      assertThat(tokens.given).hasValue(10);
    }
  }

  @Test
  void aTokenIsForTheCallOfItsUserOnly() throws Exception {
    try (ScriptedServer server = new ScriptedServer(McpScript.modern())) {
      UpstreamConnection connection = client.connect(server.url());
      get(
          connection.call(
              call("echo", Map.of()),
              () -> CompletableFuture.completedStage(Optional.of("Bearer token-a"))));
      get(connection.call(call("echo", Map.of()), Authorizer.NONE));

      assertThat(server.requests("tools/call"))
          .extracting(request -> request.header("Authorization"))
          .containsExactly("Bearer token-a", "");
    }
  }

  @Test
  void aRefusedRequestIsSentOnceMoreWithANewToken() throws Exception {
    Counting tokens = new Counting();
    tokens.refreshes = true;
    McpScript script = McpScript.legacy();
    try (ScriptedServer server = new ScriptedServer(script)) {
      UpstreamConnection connection = client.connect(server.url(), tokens);
      script.on(
          "tools/call",
          (request, response) -> {
            if (server.requests("tools/call").size() == 1) {
              response.status(401, "WWW-Authenticate: Bearer error=\"invalid_token\"");
            } else {
              response.result(request, McpScript.text("done"));
            }
          });

      assertThat(text(get(connection.call(call("echo", Map.of()), tokens)))).isEqualTo("done");
      assertThat(server.requests("tools/call"))
          .extracting(Request::body)
          .hasSize(2)
          .allMatch(server.requests("tools/call").get(0).body()::equals);
      assertThat(tokens.refusals).containsExactly("401 Bearer error=\"invalid_token\"");

      script.on("tools/call", (request, response) -> response.status(401));
      UpstreamException failure = failure(connection.call(call("echo", Map.of()), tokens));
      assertThat(failure.kind()).isEqualTo(Kind.FORBIDDEN);
      assertThat(failure.isTransport()).isFalse();
      assertThat(server.requests("tools/call")).hasSize(4);
    }
  }

  @Test
  void aChallengeReachesTheCredentials() throws Exception {
    Counting tokens = new Counting();
    McpScript script = McpScript.modern();
    String challenge = "Bearer error=\"insufficient_scope\", scope=\"files:write\"";
    try (ScriptedServer server = new ScriptedServer(script)) {
      UpstreamConnection connection = client.connect(server.url(), tokens);
      script.on(
          "tools/call",
          (request, response) -> response.status(403, "WWW-Authenticate: " + challenge));

      assertThat(failure(connection.call(call("echo", Map.of()), tokens)))
          .hasMessage("more is needed")
          .extracting(UpstreamException::kind)
          .isEqualTo(Kind.SCOPE_REQUIRED);
      assertThat(tokens.refusals).containsExactly("403 " + challenge);

      script.on(
          "tools/call",
          (request, response) ->
              response.status(403, "WWW-Authenticate: Bearer x=\"" + "y".repeat(50_000) + "\""));
      failure(connection.call(call("echo", Map.of()), tokens));
      assertThat(tokens.refusals.get(1)).hasSizeLessThan(5000);
    }
  }

  @Test
  void withoutConsentNothingIsSent() throws Exception {
    try (ScriptedServer server = new ScriptedServer(McpScript.modern())) {
      Authorizer missing =
          () ->
              CompletableFuture.failedStage(
                  new UpstreamException(Kind.CONSENT_REQUIRED, "consent first"));

      assertThat(
              failure(
                      client.connector.connect(
                          ClientFixture.server(server.url()), missing, () -> {}))
                  .kind())
          .isEqualTo(Kind.CONSENT_REQUIRED);
      assertThat(server.requests()).isEmpty();
    }
  }

  @Test
  void aTokenThatIsNoHeaderIsNotInTheMessage() throws Exception {
    try (ScriptedServer server = new ScriptedServer(McpScript.modern())) {
      Authorizer broken =
          () -> CompletableFuture.completedStage(Optional.of("Bearer token-\r\nX: 1"));

      assertThat(
              failure(
                      client.connector.connect(
                          ClientFixture.server(server.url()), broken, () -> {}))
                  .kind())
          .isEqualTo(Kind.UNAVAILABLE);
      assertThat(server.requests()).isEmpty();
    }
  }

  @Test
  void aFaultOfTheCredentialsEndsTheRequest() throws Exception {
    try (ScriptedServer server = new ScriptedServer(McpScript.modern())) {
      Authorizer faulty =
          () -> {
            throw new IllegalStateException("token-1");
          };

      assertThat(
              failure(
                      client.connector.connect(
                          ClientFixture.server(server.url()), faulty, () -> {}))
                  .isTransport())
          .isFalse();
    }
  }
}
