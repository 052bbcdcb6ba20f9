package io.runstone.upstream.client;

import static io.runstone.upstream.client.ClientFixture.echo;
import static io.runstone.upstream.client.ClientFixture.failure;
import static io.runstone.upstream.client.ClientFixture.get;
import static io.runstone.upstream.client.ClientFixture.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.runstone.kernel.Cancellation;
import io.runstone.upstream.Authorizer;
import io.runstone.upstream.ServerName;
import io.runstone.upstream.UpstreamCall;
import io.runstone.upstream.UpstreamConnection;
import io.runstone.upstream.UpstreamException;
import io.runstone.upstream.UpstreamException.Kind;
import io.runstone.upstream.client.ScriptedServer.Script;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What callers hear of servers that misbehave, in both eras, and that the next call works again.
 */
@Timeout(60)
class BadServersTest {
  private final ClientFixture client = new ClientFixture();
  private final CountDownLatch end = new CountDownLatch(1);
  private final McpScript modern = McpScript.modern();
  private final McpScript legacy = McpScript.legacy();
  private ScriptedServer modernServer;
  private ScriptedServer legacyServer;

  @BeforeEach
  void start() throws Exception {
    modernServer = new ScriptedServer(modern);
    legacyServer = new ScriptedServer(legacy);
  }

  @AfterEach
  void close() {
    end.countDown();
    client.close();
    modernServer.close();
    legacyServer.close();
  }

  /** How both eras fail when the server answers one call so; the next is answered well. */
  private List<UpstreamException> failures(Script script) throws Exception {
    UpstreamException first = failure(modern, modernServer, script);
    UpstreamException second = failure(legacy, legacyServer, script);
    assertThat(second.kind()).isEqualTo(first.kind());
    assertThat(second.isTransport()).isEqualTo(first.isTransport());
    return List.of(first, second);
  }

  private UpstreamException failure(McpScript script, ScriptedServer server, Script bad)
      throws Exception {
    UpstreamConnection connection = client.connect(server.url());
    script.on(
        "tools/call",
        (request, response) -> {
          if (McpScript.argument(request, "text").equals("good")) {
            response.result(request, McpScript.text("good"));
          } else {
            bad.answer(request, response);
          }
        });
    int before = server.requests("tools/call").size();
    UpstreamException failure = ClientFixture.failure(echo(connection, "bad"));
    assertThat(server.requests("tools/call")).hasSize(before + 1);
    assertThat(text(get(echo(connection, "good")))).isEqualTo("good");
    get(connection.close(Authorizer.NONE));
    return failure;
  }

  private void assertTransport(Script script) throws Exception {
    assertThat(failures(script))
        .allMatch(failure -> failure.kind() == Kind.UNAVAILABLE && failure.isTransport());
  }

  private void assertNoTransport(Kind kind, Script script) throws Exception {
    assertThat(failures(script))
        .allMatch(failure -> failure.kind() == kind && !failure.isTransport());
  }

  @Test
  void gatewaysWithoutAServer() throws Exception {
    for (int status : List.of(502, 503, 504)) {
      assertTransport((request, response) -> response.status(status));
    }
  }

  @Test
  void otherStatus() throws Exception {
    for (int status : List.of(400, 405, 410, 500, 501, 301, 302, 307, 308)) {
      assertNoTransport(
          Kind.UNAVAILABLE,
          (request, response) -> response.status(status, "Location: http://127.0.0.1:1/"));
    }
    assertThat(
            failures((request, response) -> response.status(307, "Location: http://127.0.0.1:1/")))
        .allSatisfy(failure -> assertThat(failure).hasMessageContaining("final url"));
  }

  @Test
  void tooMany() throws Exception {
    List<UpstreamException> failures =
        failures((request, response) -> response.status(429, "Retry-After: 17"));

    assertThat(failures).allMatch(failure -> failure.kind() == Kind.LIMIT);
    assertThat(failures)
        .allSatisfy(failure -> assertThat(failure).hasMessageContaining("17 seconds"));
  }

  @Test
  void errorsOfJsonRpc() throws Exception {
    List<UpstreamException> failures =
        failures(
            (request, response) ->
                response.error(
                    200, request.id(), -32602, "no\nsuch tool " + "x".repeat(9999), Map.of()));

    assertThat(failures)
        .allMatch(failure -> failure.kind() == Kind.REJECTED)
        .allSatisfy(failure -> assertThat(failure).hasMessageContaining("error -32602"))
        .allSatisfy(failure -> assertThat(failure).hasMessageContaining("no such tool"))
        .allMatch(failure -> String.valueOf(failure.getMessage()).length() < 600);
    assertNoTransport(
        Kind.REJECTED,
        (request, response) -> response.error(400, request.id(), -32602, "bad", Map.of()));
    assertNoTransport(
        Kind.UNAVAILABLE,
        (request, response) -> response.error(500, request.id(), -32603, "diary", Map.of()));
  }

  @Test
  void garbage() throws Exception {
    assertTransport((request, response) -> response.whole(200, "application/json", "diary {"));
    assertTransport((request, response) -> response.whole(200, "application/json", "[1]"));
    assertTransport((request, response) -> response.whole(200, "application/json", "null"));
    assertTransport((request, response) -> response.whole(200, "text/html", "<p>diary"));
    assertTransport((request, response) -> response.whole(200, "", ""));
    assertTransport((request, response) -> response.accepted());
    assertTransport((request, response) -> response.raw("diary\r\n\r\n"));
    for (String length : List.of("diary", "-5", "99999999999999999999")) {
      assertTransport(
          (request, response) -> {
            response.raw(
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: "
                    + length
                    + "\r\n\r\n{}");
            response.cut();
          });
    }
    assertTransport(
        (request, response) ->
            response.whole(200, "application/json", "[".repeat(100_000) + "]".repeat(100_000)));
    assertTransport(
        (request, response) -> {
          response.stream();
          response.piece("data: diary\n\n");
          response.awaitClose();
        });
  }

  @Test
  void answersToSomethingElse() throws Exception {
    for (Object id : List.of(-1, "1", List.of())) {
      assertTransport(
          (request, response) ->
              response.json(Map.of("jsonrpc", "2.0", "id", id, "result", Map.of())));
      assertTransport(
          (request, response) -> {
            response.stream();
            response.event(Map.of("jsonrpc", "2.0", "id", id, "result", Map.of()));
            response.awaitClose();
          });
    }
    assertTransport(
        (request, response) -> response.json(Map.of("jsonrpc", "2.0", "result", Map.of())));
    assertTransport(
        (request, response) ->
            response.json(Map.of("jsonrpc", "2.0", "id", request.id(), "result", 1)));
  }

  @Test
  void halfAMessage() throws Exception {
    assertTransport(
        (request, response) -> {
          response.raw(
              "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{\"js");
          response.cut();
        });
    assertTransport(
        (request, response) -> {
          response.stream();
          response.piece("data: {\"jsonrpc\":");
          response.cut();
        });
    assertTransport(
        (request, response) -> {
          response.stream();
          response.piece("data: {\"jsonrpc\":\"2.0\",\"id\":");
          response.endStream();
        });
    assertTransport((request, response) -> response.cut());
    assertTransport(
        (request, response) -> {
          response.raw("HTTP/1.1 200 OK\r\nContent-");
          response.cut();
        });
  }

  @Test
  void answersWithoutEnd() throws Exception {
    String mebibyte = "x".repeat(1 << 20);
    assertNoTransport(
        Kind.TOO_LARGE,
        (request, response) -> {
          response.raw(
              "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1073741824\r\n\r\n");
          for (int i = 0; i < 1024; i++) {
            response.raw(mebibyte);
          }
        });
    assertNoTransport(
        Kind.TOO_LARGE,
        (request, response) -> {
          response.stream();
          response.piece("data: ");
          for (int i = 0; i < 1024; i++) {
            response.piece(mebibyte);
          }
        });
    assertNoTransport(
        Kind.TOO_LARGE,
        (request, response) -> {
          response.stream();
          while (true) {
            response.event(Map.of("jsonrpc", "2.0", "method", "notifications/message"));
          }
        });
    assertTransport(
        (request, response) -> {
          response.raw("HTTP/1.1 200 OK\r\nX: ");
          for (int i = 0; i < 1024; i++) {
            response.raw(mebibyte);
          }
        });
    assertNoTransport(
        Kind.UNAVAILABLE,
        (request, response) -> {
          response.raw("HTTP/1.1 500 No\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n");
          while (true) {
            response.raw(mebibyte);
          }
        });
  }

  @Test
  void nothing() throws Exception {
    for (McpScript script : List.of(modern, legacy)) {
      ScriptedServer server = script == modern ? modernServer : legacyServer;
      UpstreamConnection connection = client.connect(server.url());
      script.on("tools/call", (request, response) -> end.await());
      long start = System.nanoTime();

      UpstreamException failure =
          ClientFixture.failure(
              connection.call(
                  new UpstreamCall(
                      new ServerName("scripted"),
                      "echo",
                      Map.of(),
                      Optional.of(Duration.ofMillis(300)),
                      new Cancellation(),
                      progress -> {}),
                  Authorizer.NONE));

      assertThat(failure.kind()).isEqualTo(Kind.TIMEOUT);
      assertThat(failure.isTransport()).isFalse();
      assertThat(Duration.ofNanos(System.nanoTime() - start))
          .isBetween(Duration.ofMillis(299), Duration.ofSeconds(2));
      get(connection.close(Authorizer.NONE));
    }
  }

  @Test
  void aStalledHandshakeEnds() throws Exception {
    modern.on("server/discover", (request, response) -> end.await());

    UpstreamException failure =
        ClientFixture.failure(
            client.connector.connect(
                ClientFixture.server(modernServer.url()), Authorizer.NONE, () -> {}));

    assertThat(failure.kind()).isEqualTo(Kind.UNAVAILABLE);
    assertThat(failure.isTransport()).isTrue();
  }

  @Test
  void nobodyListens() throws Exception {
    modernServer.close();
    for (String url : List.of(modernServer.url().toString(), "http://no-such-host.invalid/mcp")) {
      UpstreamException failure =
          ClientFixture.failure(
              client.connector.connect(
                  ClientFixture.server(URI.create(url)), Authorizer.NONE, () -> {}));

      assertThat(failure.kind()).isEqualTo(Kind.UNAVAILABLE);
      assertThat(failure.isTransport()).isTrue();
    }
    UpstreamException noTls =
        ClientFixture.failure(
            client.connector.connect(
                ClientFixture.server(
                    URI.create(legacyServer.url().toString().replace("http:", "https:"))),
                Authorizer.NONE,
                () -> {}));
    assertThat(noTls.isTransport()).isTrue();
  }

  @Test
  void aForgottenSession() throws Exception {
    List<Script> ways =
        List.of(
            (request, response) -> response.status(404),
            (request, response) ->
                response.error(404, request.id(), -32001, "Session not found", Map.of()),
            (request, response) ->
                response.error(
                    400, request.id(), -32000, "No valid session ID provided", Map.of()));
    for (Script way : ways) {
      UpstreamConnection connection = client.connect(legacyServer.url());
      legacy.on("tools/call", way);

      assertThat(ClientFixture.failure(echo(connection, "x")).kind()).isEqualTo(Kind.SESSION_LOST);
      int sent = legacyServer.requests().size();
      assertThat(ClientFixture.failure(echo(connection, "x")).kind()).isEqualTo(Kind.SESSION_LOST);
      get(connection.close(Authorizer.NONE));
      assertThat(legacyServer.requests()).hasSize(sent);
    }
    UpstreamConnection connection = client.connect(modernServer.url());
    modern.on("tools/call", (request, response) -> response.status(404));
    assertThat(ClientFixture.failure(echo(connection, "x")).kind()).isEqualTo(Kind.UNAVAILABLE);
  }
}
