package io.runstone.upstream.client;

import static io.runstone.upstream.client.ClientFixture.echo;
import static io.runstone.upstream.client.ClientFixture.failure;
import static io.runstone.upstream.client.ClientFixture.get;
import static io.runstone.upstream.client.ClientFixture.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.runstone.upstream.Authorizer;
import io.runstone.upstream.UpstreamConnection;
import io.runstone.upstream.UpstreamException;
import io.runstone.upstream.UpstreamTool;
import io.runstone.upstream.client.ScriptedServer.Request;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which era is spoken with which server, and what each puts on the wire. */
@Timeout(60)
class ErasTest {
  private final ClientFixture client = new ClientFixture();

  @AfterEach
  void close() {
    client.close();
  }

  @Test
  void aModernServerNeedsNoHandshake() throws Exception {
    try (ScriptedServer server = new ScriptedServer(McpScript.modern())) {
      UpstreamConnection connection = client.connect(server.url());

      assertThat(connection.protocolVersion()).isEqualTo("2026-07-28");
      assertThat(connection.isStateless()).isTrue();
      assertThat(text(get(echo(connection, "hello")))).isEqualTo("hello");
      assertThat(get(connection.listTools(Authorizer.NONE)))
          .extracting(UpstreamTool::name)
          .containsExactly("echo");
      get(connection.close(Authorizer.NONE));

      assertThat(server.requests())
          .extracting(Request::rpc)
          .containsExactly("server/discover", "tools/call", "tools/list");
      Request call = server.requests("tools/call").get(0);
      assertThat(call.header("MCP-Protocol-Version")).isEqualTo("2026-07-28");
      assertThat(call.header("Mcp-Method")).isEqualTo("tools/call");
      assertThat(call.header("Mcp-Name")).isEqualTo("echo");
      assertThat(call.header("Accept")).isEqualTo("application/json, text/event-stream");
      assertThat(call.headers()).doesNotContainKeys("upgrade", "http2-settings", "mcp-session-id");
      assertThat(call.params().toString())
          .contains(
              "io.modelcontextprotocol/protocolVersion=2026-07-28",
              "io.modelcontextprotocol/clientCapabilities={}",
              "progressToken=");
    }
  }

  @Test
  void aLegacyServerGetsASession() throws Exception {
    try (ScriptedServer server = new ScriptedServer(McpScript.legacy())) {
      UpstreamConnection connection = client.connect(server.url());

      assertThat(connection.protocolVersion()).isEqualTo("2025-11-25");
      assertThat(connection.isStateless()).isFalse();
      assertThat(text(get(echo(connection, "hello")))).isEqualTo("hello");
      get(connection.close(Authorizer.NONE));
      get(connection.close(Authorizer.NONE));

      assertThat(server.requests())
          .extracting(Request::rpc)
          .containsExactly(
              "server/discover", "initialize", "notifications/initialized", "tools/call", "DELETE");
      assertThat(server.requests("initialize").get(0).headers())
          .doesNotContainKeys("mcp-protocol-version", "mcp-session-id", "mcp-method");
      for (String later : List.of("notifications/initialized", "tools/call", "DELETE")) {
        Request request = server.requests(later).get(0);
        assertThat(request.header("Mcp-Session-Id")).isEqualTo("session-1");
        assertThat(request.header("MCP-Protocol-Version")).isEqualTo("2025-11-25");
        assertThat(request.headers()).doesNotContainKey("mcp-method");
      }
      assertThat(failure(echo(connection, "late")).kind())
          .isEqualTo(UpstreamException.Kind.SESSION_LOST);
    }
  }

  @Test
  void olderRevisionsAreSpokenToo() throws Exception {
    for (String version : List.of("2025-03-26", "2025-06-18")) {
      try (ScriptedServer server =
          new ScriptedServer(McpScript.legacy(version, Map.of("tools", Map.of())))) {
        UpstreamConnection connection = client.connect(server.url());

        assertThat(connection.protocolVersion()).isEqualTo(version);
        assertThat(connection.isStateless()).isTrue(); // it gave no session
        assertThat(text(get(echo(connection, "hello")))).isEqualTo("hello");
        get(connection.close(Authorizer.NONE));
        assertThat(server.requests("DELETE")).isEmpty();
      }
    }
  }

  @Test
  void aHandshakeMayBeAnsweredByStreams() throws Exception {
    McpScript script = McpScript.legacy();
    script.on(
        "initialize",
        (request, response) -> {
          response.stream("Mcp-Session-Id: session-2");
          response.resultEvent(
              request, Map.of("protocolVersion", "2025-11-25", "capabilities", Map.of()));
          response.awaitClose(); // some servers leave it open
        });
    try (ScriptedServer server = new ScriptedServer(script)) {
      UpstreamConnection connection = client.connect(server.url());

      assertThat(connection.isStateless()).isFalse();
      assertThat(text(get(echo(connection, "hello")))).isEqualTo("hello");
      assertThat(server.requests("tools/call").get(0).header("Mcp-Session-Id"))
          .isEqualTo("session-2");
    }
  }

  @Test
  void aServerOfAnotherMcpIsNamed() throws Exception {
    try (ScriptedServer server =
        new ScriptedServer(McpScript.legacy("2024-11-05", Map.of(), "Mcp-Session-Id: session-1"))) {
      UpstreamException failure =
          failure(
              client.connector.connect(
                  ClientFixture.server(server.url()), Authorizer.NONE, () -> {}));

      assertThat(failure.kind()).isEqualTo(UpstreamException.Kind.UNAVAILABLE);
      assertThat(failure.isTransport()).isFalse();
      assertThat(failure).hasMessageContaining("2024-11-05").hasMessageContaining("2025-11-25");
    }
  }

  @Test
  void onlyErrorsOf2026MeanAModernServer() throws Exception {
    McpScript script = McpScript.modern();
    try (ScriptedServer server = new ScriptedServer(script)) {
      script.on(
          "server/discover",
          (request, response) -> {
            if (server.requests("server/discover").size() == 1) {
              response.error(
                  400,
                  request.id(),
                  -32022,
                  "Unsupported protocol version",
                  Map.of("supported", List.of("2026-07-28"), "requested", "2026-07-28"));
            } else {
              response.result(request, Map.of("supportedVersions", List.of("2026-07-28")));
            }
          });
      assertThat(client.connect(server.url()).protocolVersion()).isEqualTo("2026-07-28");

      script.on(
          "server/discover",
          (request, response) ->
              response.error(
                  400,
                  request.id(),
                  -32022,
                  "Unsupported protocol version",
                  Map.of("supported", List.of("2027-01-01"))));
      UpstreamException failure = failure(connecting(server));
      assertThat(failure.kind()).isEqualTo(UpstreamException.Kind.UNAVAILABLE);
      assertThat(failure).hasMessageContaining("2027-01-01").hasMessageContaining("2026-07-28");
      assertThat(server.requests("initialize")).isEmpty();
    }
  }

  @Test
  void whateverElseALegacyServerSaysToDiscoverIsNoObstacle() throws Exception {
    List<ScriptedServer.Script> ways =
        List.of(
            (request, response) -> response.status(404),
            (request, response) -> response.status(400),
            (request, response) -> response.status(500),
            (request, response) -> response.whole(200, "text/html", "<p>hello"),
            (request, response) -> response.result(request, Map.of()),
            (request, response) -> response.error(200, request.id(), -32601, "no", Map.of()),
            (request, response) -> response.error(400, "server-error", -32600, "no", Map.of()));
    for (ScriptedServer.Script way : ways) {
      try (ScriptedServer server =
          new ScriptedServer(McpScript.legacy().on("server/discover", way))) {
        assertThat(client.connect(server.url()).protocolVersion()).isEqualTo("2025-11-25");
      }
    }
  }

  @Test
  void aCallRepeatsArgumentsInHeadersAsTheToolWants() throws Exception {
    Map<String, Object> tool = McpScript.tool("query");
    tool.put(
        "inputSchema",
        Map.of(
            "type",
            "object",
            "properties",
            Map.of("region", Map.of("type", "string", "x-mcp-header", "Region"))));
    Map<String, Object> broken = McpScript.tool("broken");
    broken.put(
        "inputSchema",
        Map.of("properties", Map.of("list", Map.of("type", "array", "x-mcp-header", "List"))));
    McpScript script = McpScript.modern();
    script.on(
        "tools/list",
        (request, response) -> response.result(request, Map.of("tools", List.of(tool, broken))));
    script.on(
        "tools/call",
        (request, response) -> {
          if (request.header("Mcp-Param-Region").isEmpty()) {
            response.error(400, request.id(), -32020, "Header mismatch", Map.of());
          } else {
            response.result(request, McpScript.text("done"));
          }
        });
    try (ScriptedServer server = new ScriptedServer(script)) {
      UpstreamConnection connection = client.connect(server.url());

      // Never listed before: the refusal makes the client look.
      assertThat(
              text(
                  get(
                      connection.call(
                          ClientFixture.call("query", Map.of("region", "Köln")), Authorizer.NONE))))
          .isEqualTo("done");
      assertThat(server.requests("tools/call").get(1).header("Mcp-Param-Region"))
          .isEqualTo("=?base64?S8O2bG4=?=");
      assertThat(get(connection.listTools(Authorizer.NONE)))
          .extracting(UpstreamTool::name)
          .containsExactly("query");
    }
  }

  private CompletionStage<UpstreamConnection> connecting(ScriptedServer server) {
    return client.connector.connect(ClientFixture.server(server.url()), Authorizer.NONE, () -> {});
  }
}
