package io.runstone.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.runstone.testing.Http;
import io.runstone.testing.McpClient;
import io.runstone.testing.Requirements;
import io.runstone.testing.Wars;
import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.json.JsonValue;
import java.net.URL;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.RunAsClient;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The MCP section of the contract, against the WAR as it is shipped. */
@ExtendWith(ArquillianExtension.class)
@RunAsClient
class McpContractIT {
  private static final JsonObject NOTHING = JsonValue.EMPTY_JSON_OBJECT;

  @ArquillianResource private URL base;
  private Http http;
  private McpClient client;

  @Deployment(testable = false)
  static WebArchive war() {
    return Wars.built();
  }

  @BeforeEach
  void connect() throws Exception {
    http = new Http(base.toURI(), Map.of());
    client = McpClient.open(http);
  }

  @AfterEach
  void disconnect() throws Exception {
    http.stopAll();
    client.delete();
  }

  private JsonObject start(String id) throws Exception {
    return client.tool("start_python_session", McpClient.args("session_id", id));
  }

  @ParameterizedTest
  @ValueSource(strings = {"2025-03-26", "2025-06-18", "2025-11-25"})
  void initializeIsAnsweredAsAnEventStreamInTheRequestedRevision(String version) throws Exception {
    Http.Answer answer =
        http.send("POST", "/mcp", McpClient.initialize(version), "Accept", McpClient.ACCEPT);
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.header("mcp-session-id")).isNotBlank();
    assertThat(answer.header("Content-Type")).startsWith("text/event-stream");
    assertThat(answer.text().lines().filter(line -> line.startsWith("data: "))).hasSize(1);
    JsonObject result = McpClient.first(answer).getJsonObject("result");
    assertThat(result.getString("protocolVersion")).isEqualTo(version);
    assertThat(result.getString("instructions")).isNotBlank();
    assertThat(result.getJsonObject("serverInfo").getString("name")).isEqualTo("runstone");
  }

  @Test
  void anUnknownRevisionIsAnsweredWithTheNewestKnown() throws Exception {
    Http.Answer answer =
        http.send("POST", "/mcp", McpClient.initialize("2099-01-01"), "Accept", McpClient.ACCEPT);
    assertThat(McpClient.first(answer).getJsonObject("result").getString("protocolVersion"))
        .isEqualTo("2025-11-25");
  }

  @Test
  void theToolsAreListedWithTheirSchemas() throws Exception {
    List<JsonObject> tools =
        client
            .call("tools/list", NOTHING)
            .getJsonObject("result")
            .getJsonArray("tools")
            .getValuesAs(JsonObject.class);
    assertThat(tools.stream().map(tool -> tool.getString("name")))
        .containsExactlyInAnyOrder(
            "execute_python_code",
            "start_python_session",
            "list_python_sessions",
            "stop_python_session",
            "interrupt_python_session",
            "restart_python_session");
    for (JsonObject tool : tools) {
      assertThat(tool.getString("description")).isNotBlank();
      assertThat(tool.getJsonObject("outputSchema").getString("type")).isEqualTo("object");
    }
    JsonObject execute =
        tools.stream()
            .filter(tool -> tool.getString("name").equals("execute_python_code"))
            .findFirst()
            .orElseThrow()
            .getJsonObject("inputSchema");
    assertThat(execute.getJsonObject("properties").getJsonObject("command").getString("type"))
        .isEqualTo("string");
    assertThat(
            execute.getJsonObject("properties").getJsonObject("session_id").getJsonArray("anyOf"))
        .containsExactly(McpClient.args("type", "string"), McpClient.args("type", "null"));
    assertThat(execute.getJsonArray("required")).hasSize(1);
  }

  @Test
  void sessionsKeepTheirOwnVariables() throws Exception {
    assertThat(start("alpha").getJsonObject("structuredContent").getString("status"))
        .isEqualTo("active");
    start("beta");
    client.execute("alpha", "value = 10");
    client.execute("beta", "value = 20");
    assertThat(McpClient.text(client.execute("alpha", "print(value)"))).isEqualTo("10\n");
    assertThat(McpClient.text(client.execute("beta", "value"))).isEqualTo("20\n");
    assertThat(McpClient.ids(client.tool("list_python_sessions", NOTHING)))
        .containsExactly("alpha", "beta");
    JsonObject stopped = client.tool("stop_python_session", McpClient.args("session_id", "alpha"));
    assertThat(stopped.getJsonObject("structuredContent").getString("status")).isEqualTo("stopped");
    assertThat(McpClient.ids(client.tool("list_python_sessions", NOTHING))).containsExactly("beta");
  }

  @Test
  void aResultSaysEverythingInItsStructure() throws Exception {
    start("alpha");
    JsonObject result =
        client.execute("alpha", "import sys\nprint(1)\nprint(2, file=sys.stderr)\n3");
    JsonObject structure = result.getJsonObject("structuredContent");
    assertThat(structure.getString("result")).isEqualTo(McpClient.text(result)).endsWith("3\n");
    assertThat(structure.getString("status")).isEqualTo("ok");
    assertThat(structure.getString("session_state")).isEqualTo("preserved");
    assertThat(structure.getString("session_id")).isEqualTo("alpha");
    assertThat(structure.getString("stdout")).isEqualTo("1\n3\n");
    assertThat(structure.getString("stderr")).isEqualTo("2\n");
    assertThat(structure.get("error")).isEqualTo(JsonValue.NULL);
    assertThat(structure.getJsonArray("outputs")).isEmpty();
    assertThat(McpClient.text(client.execute("alpha", "x = 1")))
        .isEqualTo("[Execution successful with no output]");
  }

  @Test
  void aFailingCellIsAResultAndNotAnError() throws Exception {
    start("alpha");
    JsonObject result =
        client.execute("alpha", "kept = 1\nprint('before')\nraise ValueError('no')");
    assertThat(result.getBoolean("isError")).isFalse();
    assertThat(McpClient.text(result))
        .startsWith("Error: Execution Error:\nTraceback (most recent call last):")
        .endsWith("ValueError: no\nbefore\n")
        .doesNotContain("\u001b");
    JsonObject structure = result.getJsonObject("structuredContent");
    assertThat(structure.getString("status")).isEqualTo("error");
    assertThat(structure.getJsonObject("error").getString("evalue")).isEqualTo("no");
    assertThat(McpClient.text(client.execute("alpha", "kept"))).isEqualTo("1\n");
  }

  @Test
  void withoutSessionTheConnectionsOwnIsUsed() throws Exception {
    JsonObject first = client.execute("", "mine = 5");
    assertThat(first.getJsonObject("structuredContent").get("session_id"))
        .isEqualTo(JsonValue.NULL);
    assertThat(McpClient.text(client.execute("", "mine"))).isEqualTo("5\n");
    McpClient other = McpClient.open(http);
    assertThat(McpClient.text(other.execute("", "mine"))).contains("NameError");
    assertThat(other.delete().status()).isEqualTo(200);
    assertThat(other.post("{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"ping\"}").status())
        .isEqualTo(404);
    assertThat(McpClient.ids(client.tool("list_python_sessions", NOTHING))).isEmpty();
  }

  @Test
  void whatCannotBeDoneIsAnErrorThatTellsTheCure() throws Exception {
    for (String id : List.of("a", "b", "c", "d", "e")) {
      assertThat(start(id).getBoolean("isError", false)).isFalse();
    }
    assertError(start("a"), "exists");
    assertError(start("f"), "stop one");
    assertError(start("no good"), "letters");
    assertError(client.execute("unknown", "1"), "start it first");
    assertError(client.execute("a", " "), "no code");
    assertError(
        client.tool("stop_python_session", McpClient.args("session_id", "unknown")), "no session");
    assertError(client.tool("execute_python_code", NOTHING), "command");
    assertError(
        client.tool("execute_python_code", Json.createObjectBuilder().add("command", 5).build()),
        "string");
  }

  private static void assertError(JsonObject result, String part) {
    assertThat(result.getBoolean("isError")).isTrue();
    assertThat(McpClient.text(result)).contains(part).doesNotContain("Exception", "\n");
  }

  @Test
  void anUnknownToolOrMethodIsAProtocolError() throws Exception {
    JsonObject unknown =
        client.call("tools/call", Json.createObjectBuilder().add("name", "nothing").build());
    assertThat(unknown.getJsonObject("error").getInt("code")).isEqualTo(-32602);
    JsonObject method = client.call("nothing/at/all", NOTHING);
    assertThat(method.getJsonObject("error").getInt("code")).isEqualTo(-32601);
  }

  @Test
  void outputArrivesAsProgressWhileTheCellRuns() throws Exception {
    start("alpha");
    CompletableFuture<Long> firstOutput = new CompletableFuture<>();
    String code = "import time\nprint('first', flush=True)\ntime.sleep(2)\nprint('last')";
    List<JsonObject> messages =
        client.toolWithProgress(
            "execute_python_code",
            McpClient.order("alpha", code),
            message -> {
              if (message.containsKey("method")) {
                firstOutput.complete(System.nanoTime());
              }
            });
    long end = System.nanoTime();
    assertThat(end - firstOutput.get(0, TimeUnit.SECONDS))
        .isGreaterThan(TimeUnit.MILLISECONDS.toNanos(1000));
    List<JsonObject> progress = new ArrayList<>(messages.subList(0, messages.size() - 1));
    assertThat(progress).allMatch(m -> m.getString("method").equals("notifications/progress"));
    assertThat(progress.get(0).getJsonObject("params").getString("progressToken")).isEqualTo("p1");
    assertThat(progress.get(0).getJsonObject("params").getString("message")).isEqualTo("first\n");
    JsonObject last = messages.get(messages.size() - 1);
    assertThat(McpClient.text(last.getJsonObject("result"))).isEqualTo("first\nlast\n");
  }

  @Test
  void withoutProgressTokenTheFirstMessageIsTheResponse() throws Exception {
    start("alpha");
    Http.Answer answer =
        client.post(
            Json.createObjectBuilder()
                .add("jsonrpc", "2.0")
                .add("id", 77)
                .add("method", "tools/call")
                .add(
                    "params",
                    Json.createObjectBuilder()
                        .add("name", "execute_python_code")
                        .add(
                            "arguments",
                            McpClient.order(
                                "alpha", "import time\nprint(1, flush=True)\ntime.sleep(4)")))
                .build()
                .toString());
    assertThat(McpClient.messages(answer.text())).hasSize(1);
    assertThat(McpClient.first(answer).getInt("id")).isEqualTo(77);
  }

  @Test
  void noCharacterInAResultEndsALine() throws Exception {
    start("alpha");
    Http.Answer answer =
        client.post(McpClient.execution(78, "alpha", "print('a\\u0085b\\u2028c\\u2029d\\r\\ne')"));
    assertThat(answer.text()).doesNotContain("\u0085", "\u2028", "\u2029", "\r");
    assertThat(McpClient.text(McpClient.first(answer).getJsonObject("result")))
        .isEqualTo("a\u0085b\u2028c\u2029d\r\ne\n");
  }

  @Test
  void callsOfOneConnectionRunAtTheSameTime() throws Exception {
    start("alpha");
    start("beta");
    String wait =
        """
        import os, time
        open('/app/uploads/%s', 'w').close()
        end = time.time() + 20
        while not os.path.exists('/app/uploads/%s') and time.time() < end: time.sleep(0.01)
        print(os.path.exists('/app/uploads/%s'))""";
    CompletableFuture<String> alpha =
        CompletableFuture.supplyAsync(() -> run("alpha", wait.formatted("a", "b", "b")));
    String beta = run("beta", wait.formatted("b", "a", "a"));
    assertThat(beta).isEqualTo("True\n");
    assertThat(alpha.get(30, TimeUnit.SECONDS)).isEqualTo("True\n");
    client.execute("alpha", "os.remove('/app/uploads/a'); os.remove('/app/uploads/b')");
  }

  private String run(String session, String code) {
    try {
      return McpClient.text(client.execute(session, code));
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aStreamForServerMessagesOpensAtOnce() throws Exception {
    var response =
        http.client()
            .send(
                http.request(
                    "GET",
                    "/mcp",
                    "",
                    "Accept",
                    "text/event-stream",
                    "Mcp-Session-Id",
                    client.session()),
                HttpResponse.BodyHandlers.ofInputStream());
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat((char) response.body().read()).isEqualTo(':');
    client.delete();
    assertThat(new String(response.body().readAllBytes(), StandardCharsets.UTF_8))
        .doesNotContain("data:");
  }

  @Test
  void anInterruptAndARestartTellTheTruth() throws Exception {
    start("alpha");
    CompletableFuture<String> running =
        CompletableFuture.supplyAsync(
            () ->
                run("alpha", "open('/app/uploads/on', 'w').close()\nimport time; time.sleep(50)"));
    String there = "import os; os.path.exists('/app/uploads/on')";
    while (!McpClient.text(client.execute("", there)).equals("True\n")) {
      assertThat(running).isNotDone();
    }
    JsonObject interrupted =
        client.tool("interrupt_python_session", McpClient.args("session_id", "alpha"));
    assertThat(interrupted.getJsonObject("structuredContent").getBoolean("interrupted")).isTrue();
    assertThat(running.get(30, TimeUnit.SECONDS)).contains("interrupted", "preserved");
    client.execute("alpha", "kept = 1; import os; os.remove('/app/uploads/on')");
    client.tool("restart_python_session", McpClient.args("session_id", "alpha"));
    assertThat(McpClient.text(client.execute("alpha", "kept"))).contains("NameError");
  }

  @Test
  void aPlotIsAnImageAndALink() throws Exception {
    start("alpha");
    JsonObject result =
        client.execute("alpha", "import matplotlib.pyplot as plt; plt.plot([1,2,3]); plt.show()");
    String text = McpClient.text(result);
    Requirements.need(
        "matplotlib",
        text.contains("ModuleNotFoundError") ? Optional.of("the kernels") : Optional.empty());
    JsonObject image = result.getJsonArray("content").getJsonObject(1);
    assertThat(image.getString("type")).isEqualTo("image");
    assertThat(image.getString("mimeType")).isEqualTo("image/png");
    JsonObject structure = result.getJsonObject("structuredContent");
    assertThat(structure.toString()).doesNotContain(image.getString("data").substring(0, 100));
    JsonObject link = structure.getJsonArray("outputs").getJsonObject(0);
    assertThat(structure.getString("result")).contains(link.getString("uri"));
    byte[] png =
        http.client()
            .send(
                http.request("GET", link.getString("url"), ""),
                HttpResponse.BodyHandlers.ofByteArray())
            .body();
    assertThat(png).startsWith(0x89, 'P', 'N', 'G');
    assertThat(Base64.getEncoder().encodeToString(png)).isEqualTo(image.getString("data"));
    JsonObject resource =
        client
            .call("resources/read", McpClient.args("uri", link.getString("uri")))
            .getJsonObject("result")
            .getJsonArray("contents")
            .getJsonObject(0);
    assertThat(resource.getString("blob")).isEqualTo(image.getString("data"));
    assertThat(resource.getString("mimeType")).isEqualTo("image/png");
  }

  @Test
  void longTextIsCutWithALinkToTheWhole() throws Exception {
    start("alpha");
    JsonObject result = client.execute("alpha", "for i in range(20_000): print(f'line {i:05}')");
    String text = McpClient.text(result);
    assertThat(text.length()).isLessThan(61_000);
    assertThat(text).startsWith("line 00000\n").contains("not shown", "line 19999\n");
    JsonObject link =
        result.getJsonObject("structuredContent").getJsonArray("outputs").getJsonObject(0);
    Http.Answer whole = http.send("GET", link.getString("url"), "");
    assertThat(whole.text()).hasSize(20_000 * 11).endsWith("line 19999\n");
    assertThat(http.send("GET", "/v1/executions/none/outputs/0", "").status()).isEqualTo(404);
    JsonObject unknown =
        client.call("resources/read", McpClient.args("uri", "runstone://executions/0/outputs/0"));
    assertThat(unknown.getJsonObject("error").getInt("code")).isEqualTo(-32002);
  }
}
