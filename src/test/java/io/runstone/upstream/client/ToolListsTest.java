package io.runstone.upstream.client;

import static io.runstone.upstream.client.ClientFixture.failure;
import static io.runstone.upstream.client.ClientFixture.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.runstone.upstream.Authorizer;
import io.runstone.upstream.UpstreamConnection;
import io.runstone.upstream.UpstreamException.Kind;
import io.runstone.upstream.UpstreamTool;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Lists of tools in pages and in bounds, and the word that they changed. */
@Timeout(60)
class ToolListsTest {
  private final ClientFixture client = new ClientFixture();

  @AfterEach
  void close() {
    client.close();
  }

  @Test
  void followsPages() throws Exception {
    McpScript script = McpScript.legacy();
    script.on(
        "tools/list",
        (request, response) -> {
          String cursor = String.valueOf(request.params().getOrDefault("cursor", "0"));
          int page = Integer.parseInt(cursor);
          Map<String, Object> tool = McpScript.tool("tool" + page);
          response.result(
              request,
              page < 4
                  ? Map.of("tools", List.of(tool), "nextCursor", String.valueOf(page + 1))
                  : Map.of("tools", List.of(tool)));
        });
    try (ScriptedServer server = new ScriptedServer(script)) {
      assertThat(get(client.connect(server.url()).listTools(Authorizer.NONE)))
          .extracting(UpstreamTool::name)
          .containsExactly("tool0", "tool1", "tool2", "tool3", "tool4");
    }
  }

  @Test
  void endsWherePagesDoNot() throws Exception {
    McpScript script = McpScript.modern();
    script.on(
        "tools/list",
        (request, response) ->
            response.result(
                request, Map.of("tools", List.of(McpScript.tool("same")), "nextCursor", "again")));
    try (ScriptedServer server = new ScriptedServer(script)) {
      assertThat(get(client.connect(server.url()).listTools(Authorizer.NONE))).hasSize(1);
      assertThat(server.requests("tools/list")).hasSizeLessThanOrEqualTo(100);
    }
  }

  @Test
  void takesAThousandTools() throws Exception {
    McpScript script = McpScript.modern();
    List<Map<String, Object>> many =
        IntStream.range(0, 1500).mapToObj(i -> McpScript.tool("tool" + i)).toList();
    script.on(
        "tools/list",
        (request, response) ->
            response.result(request, Map.of("tools", many, "nextCursor", "more")));
    try (ScriptedServer server = new ScriptedServer(script)) {
      assertThat(get(client.connect(server.url()).listTools(Authorizer.NONE))).hasSize(1000);
      assertThat(server.requests("tools/list")).hasSize(1);
    }
  }

  @Test
  void boundsTheBytesOfAllPages() throws Exception {
    McpScript script = McpScript.modern();
    Map<String, Object> large = McpScript.tool("large");
    large.put("description", "x".repeat(ClientFixture.MAX_BYTES / 3));
    script.on(
        "tools/list",
        (request, response) ->
            response.result(request, Map.of("tools", List.of(large), "nextCursor", "more")));
    try (ScriptedServer server = new ScriptedServer(script)) {
      assertThat(failure(client.connect(server.url()).listTools(Authorizer.NONE)).kind())
          .isEqualTo(Kind.TOO_LARGE);
      assertThat(server.requests("tools/list")).hasSize(3);
    }
  }

  @Test
  void leavesOutWhatIsNoTool() throws Exception {
    McpScript script = McpScript.legacy();
    List<Object> tools = new ArrayList<>(Arrays.asList(1, null, "x", List.of(), Map.of()));
    tools.add(Map.of("name", 1));
    tools.add(McpScript.tool(""));
    tools.add(McpScript.tool("a\nb"));
    tools.add(McpScript.tool("x".repeat(129)));
    tools.add(McpScript.tool("good"));
    tools.add(McpScript.tool("good"));
    script.on(
        "tools/list", (request, response) -> response.result(request, Map.of("tools", tools)));
    try (ScriptedServer server = new ScriptedServer(script)) {
      UpstreamConnection connection = client.connect(server.url());
      assertThat(get(connection.listTools(Authorizer.NONE)))
          .extracting(UpstreamTool::name)
          .containsExactly("good");

      script.on("tools/list", (request, response) -> response.result(request, Map.of()));
      assertThat(failure(connection.listTools(Authorizer.NONE)).isTransport()).isTrue();
    }
  }

  @Test
  void hearsOfChangesInBothEras() throws Exception {
    CountDownLatch sent = new CountDownLatch(2);
    CountDownLatch closed = new CountDownLatch(2);
    ScriptedServer.Script stream =
        (request, response) -> {
          response.stream();
          response.piece(": hello\n\n");
          response.event(Map.of("jsonrpc", "2.0", "method", "notifications/tools/list_changed"));
          sent.countDown();
          response.awaitClose();
          closed.countDown();
        };
    Map<String, Object> tells = Map.of("tools", Map.of("listChanged", true));
    McpScript legacy = McpScript.legacy("2025-06-18", tells, "Mcp-Session-Id: s").on("GET", stream);
    McpScript modern =
        McpScript.modern()
            .on(
                "server/discover",
                (request, response) ->
                    response.result(
                        request,
                        Map.of("supportedVersions", List.of("2026-07-28"), "capabilities", tells)))
            .on("subscriptions/listen", stream);
    try (ScriptedServer one = new ScriptedServer(legacy);
        ScriptedServer other = new ScriptedServer(modern)) {
      UpstreamConnection first = client.connect(one.url());
      UpstreamConnection second = client.connect(other.url());
      assertThat(sent.await(5, TimeUnit.SECONDS)).isTrue();
      while (client.toolsChanged.get() < 2) {
        Thread.onSpinWait();
      }
      assertThat(one.requests("GET").get(0).header("Mcp-Session-Id")).isEqualTo("s");
      assertThat(other.requests("subscriptions/listen").get(0).params().get("notifications"))
          .isEqualTo(Map.of("toolsListChanged", true));

      get(first.close(Authorizer.NONE));
      get(second.close(Authorizer.NONE));
      assertThat(closed.await(5, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void listensAgainAfterTheLastEvent() throws Exception {
    CountDownLatch again = new CountDownLatch(2);
    McpScript legacy =
        McpScript.legacy(
                "2025-11-25",
                Map.of("tools", Map.of("listChanged", true)),
                "Mcp-Session-Id: session-1")
            .on(
                "GET",
                (request, response) -> {
                  response.stream();
                  response.piece("id: e-1\nretry: 20\ndata:\n\n");
                  again.countDown();
                  response.cut();
                });
    try (ScriptedServer server = new ScriptedServer(legacy)) {
      UpstreamConnection connection = client.connect(server.url());
      assertThat(again.await(5, TimeUnit.SECONDS)).isTrue();
      assertThat(server.requests("GET"))
          .extracting(request -> request.header("Last-Event-ID"))
          .startsWith("", "e-1");
      get(connection.close(Authorizer.NONE));
    }
  }
}
