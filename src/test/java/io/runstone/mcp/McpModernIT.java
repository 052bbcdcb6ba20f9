package io.runstone.mcp;

import static io.runstone.testing.ModernClient.VERSION;
import static org.assertj.core.api.Assertions.assertThat;

import io.runstone.testing.Events;
import io.runstone.testing.Http;
import io.runstone.testing.McpClient;
import io.runstone.testing.ModernClient;
import io.runstone.testing.Wars;
import jakarta.json.Json;
import jakarta.json.JsonObject;
import java.net.URL;
import java.util.List;
import java.util.Map;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.container.annotation.ArquillianTest;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The revision without sessions, 2026-07-28, on the same endpoint. */
@ArquillianTest
@Timeout(60)
class McpModernIT {
  private static final JsonObject NOTHING = JsonObject.EMPTY_JSON_OBJECT;
  private static final JsonObject LIST =
      Json.createObjectBuilder().add("name", "list_python_sessions").build();

  @ArquillianResource private URL base;
  private Http http;
  private ModernClient client;

  @Deployment(testable = false)
  static WebArchive war() {
    return Wars.built();
  }

  @BeforeEach
  void connect() throws Exception {
    http = new Http(base.toURI(), Map.of());
    client = new ModernClient(http);
  }

  @AfterEach
  void disconnect() throws Exception {
    http.stopAll();
  }

  @Test
  void theServerTellsWhatItIs() throws Exception {
    Http.Answer answer = client.post("server/discover", NOTHING);
    assertThat(answer.header("Content-Type")).startsWith("application/json");
    JsonObject result = answer.json().getJsonObject("result");
    assertThat(result.getJsonArray("supportedVersions").getString(0)).isEqualTo(VERSION);
    assertThat(result.getString("instructions")).contains("start_python_session");
    assertThat(result.getJsonObject("capabilities")).containsKeys("tools", "resources");
    assertThat(result.getString("resultType")).isEqualTo("complete");
    assertThat(result.getJsonNumber("ttlMs").longValue()).isPositive();
    assertThat(
            result
                .getJsonObject("_meta")
                .getJsonObject("io.modelcontextprotocol/serverInfo")
                .getString("name"))
        .isEqualTo("runstone");
  }

  @Test
  void bothErasOfferTheSameTools() throws Exception {
    McpClient legacy = McpClient.open(http);
    assertThat(client.call("tools/list", NOTHING).getJsonArray("tools"))
        .isEqualTo(
            legacy.call("tools/list", NOTHING).getJsonObject("result").getJsonArray("tools"));
    legacy.delete();
  }

  @Test
  void codeRunsInACleanInterpreterOrInANamedSession() throws Exception {
    JsonObject clean = client.call("tools/call", ModernClient.execution("", "x = 1\nx"));
    assertThat(clean.getString("resultType")).isEqualTo("complete");
    assertThat(McpClient.text(clean)).isEqualTo("1\n");
    assertThat(clean.getJsonObject("structuredContent").getString("session_state"))
        .isEqualTo("none");
    assertThat(McpClient.text(client.call("tools/call", ModernClient.execution("", "x"))))
        .contains("NameError");
    http.start("alpha");
    client.call("tools/call", ModernClient.execution("alpha", "x = 2"));
    assertThat(McpClient.text(client.call("tools/call", ModernClient.execution("alpha", "x"))))
        .isEqualTo("2\n");
    JsonObject unknown = client.call("tools/call", ModernClient.execution("unknown", "1"));
    assertThat(unknown.getBoolean("isError")).isTrue();
    assertThat(McpClient.text(unknown)).contains("start it first");
  }

  @Test
  void progressComesBeforeTheAnswer() throws Exception {
    JsonObject params =
        Json.createObjectBuilder(
                ModernClient.execution(
                    "", "print('first', flush=True)\nimport time; time.sleep(0.3)\n2"))
            .add("_meta", Json.createObjectBuilder(ModernClient.meta()).add("progressToken", 17))
            .build();
    List<JsonObject> messages = McpClient.messages(client.post("tools/call", params).text());
    assertThat(messages.get(0).getJsonObject("params").getString("message")).isEqualTo("first\n");
    assertThat(messages.get(0).getJsonObject("params").getInt("progressToken")).isEqualTo(17);
    assertThat(messages.get(messages.size() - 1)).containsKey("result");
  }

  @Test
  void listenersHearWhatTheyAskedFor() throws Exception {
    JsonObject filter =
        Json.createObjectBuilder()
            .add(
                "notifications",
                Json.createObjectBuilder()
                    .add("resourcesListChanged", true)
                    .add(
                        "resourceSubscriptions",
                        Json.createArrayBuilder().add("runstone://sessions")))
            .build();
    try (Events events = new Events(client.open("subscriptions/listen", filter))) {
      JsonObject first = events.message();
      assertThat(first.getString("method")).isEqualTo("notifications/subscriptions/acknowledged");
      Thread.sleep(2500); // the first look
      http.start("heard");
      JsonObject updated = events.message();
      assertThat(updated.getString("method")).isEqualTo("notifications/resources/updated");
      assertThat(updated.getJsonObject("params").getString("uri")).isEqualTo("runstone://sessions");
      http.execute("heard", "open('heard.txt', 'w').write('1')");
      assertThat(events.message().getString("method"))
          .isEqualTo("notifications/resources/list_changed");
      http.execute("heard", "import os; os.remove('heard.txt')");
    }
  }

  @Test
  void resourcesAreRead() throws Exception {
    assertThat(client.call("resources/list", NOTHING).getJsonArray("resources").getJsonObject(0))
        .containsKeys("uri", "name", "mimeType");
    JsonObject read = client.call("resources/read", McpClient.args("uri", "runstone://sessions"));
    assertThat(read.getJsonArray("contents").getJsonObject(0).getString("text"))
        .isEqualTo("{\"sessions\":[]}");
    assertThat(read.getString("cacheScope")).isEqualTo("private");
    JsonObject missing =
        ModernClient.response(
            client.post("resources/read", McpClient.args("uri", "runstone://files/none")));
    assertThat(missing.getJsonObject("error").getInt("code")).isEqualTo(-32602);
    assertThat(missing.getJsonObject("error").getJsonObject("data").getString("uri"))
        .isEqualTo("runstone://files/none");
  }

  private void refused(int status, int code, String method, JsonObject params, String... headers)
      throws Exception {
    Http.Answer answer = http.send("POST", "/mcp", client.message(method, params), headers);
    String what = method + " " + params + " " + List.of(headers);
    assertThat(answer.status()).as(what).isEqualTo(status);
    assertThat(answer.json().getJsonObject("error").getInt("code")).as(what).isEqualTo(code);
    assertThat(answer.json().getInt("id")).as(what).isPositive();
    assertThat(answer.text()).as(what).doesNotContain("Exception", "\n\tat ");
  }

  private static JsonObject meta(String version) {
    return Json.createObjectBuilder()
        .add(
            "_meta",
            Json.createObjectBuilder(ModernClient.meta())
                .add("io.modelcontextprotocol/protocolVersion", version))
        .build();
  }

  @Test
  void whatIsWrongIsSaidWithTheSpecifiedCode() throws Exception {
    JsonObject noMeta = Json.createObjectBuilder().add("_meta", NOTHING).build();
    String[] discover = ModernClient.headers("server/discover", NOTHING);
    refused(400, -32602, "server/discover", noMeta, discover);
    refused(400, -32020, "server/discover", meta("v999.0.0"), discover);
    refused(
        400,
        -32022,
        "server/discover",
        meta("v999.0.0"),
        "Accept",
        McpClient.ACCEPT,
        "MCP-Protocol-Version",
        "v999.0.0",
        "Mcp-Method",
        "server/discover");
    for (String method : List.of("initialize", "ping", "logging/setLevel", "nothing/at/all")) {
      refused(404, -32601, method, NOTHING, ModernClient.headers(method, NOTHING));
    }
    refused(400, -32020, "tools/list", NOTHING, ModernClient.headers("prompts/list", NOTHING));
    refused(
        400,
        -32020,
        "tools/list",
        NOTHING,
        "Accept",
        McpClient.ACCEPT,
        "MCP-Protocol-Version",
        VERSION);
    refused(
        400, -32020, "tools/list", NOTHING, "Accept", McpClient.ACCEPT, "Mcp-Method", "tools/list");
    refused(400, -32020, "tools/call", LIST, ModernClient.headers("tools/call", NOTHING));
    refused(
        400,
        -32020,
        "tools/call",
        LIST,
        ModernClient.headers("tools/call", McpClient.args("name", "other")));
    JsonObject noTool = McpClient.args("name", "nothing");
    refused(400, -32602, "tools/call", noTool, ModernClient.headers("tools/call", noTool));
    refused(
        400,
        -32602,
        "resources/list",
        McpClient.args("cursor", "nonsense"),
        ModernClient.headers("resources/list", NOTHING));
    refused(
        400,
        -32602,
        "subscriptions/listen",
        NOTHING,
        ModernClient.headers("subscriptions/listen", NOTHING));
    Http.Answer get =
        http.send(
            "GET", "/mcp", "", "Accept", "text/event-stream", "MCP-Protocol-Version", VERSION);
    assertThat(get.status()).isEqualTo(405);
    Http.Answer notification =
        http.send(
            "POST",
            "/mcp",
            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}",
            ModernClient.headers("notifications/cancelled", NOTHING));
    assertThat(notification.status()).isEqualTo(202);
    Http.Answer response =
        http.send(
            "POST",
            "/mcp",
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}",
            ModernClient.headers("x", NOTHING));
    assertThat(response.status()).isEqualTo(400);
  }

  @Test
  void aMessageOfTheOldErasWithNewHeadersIsAnsweredInItsOwnEra() throws Exception {
    Http.Answer answer =
        http.send(
            "POST",
            "/mcp",
            McpClient.initialize("2025-11-25"),
            "Accept",
            McpClient.ACCEPT,
            "Mcp-Method",
            "initialize",
            "MCP-Protocol-Version",
            "2025-11-25");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.header("mcp-session-id")).isNotBlank();
    http.send("DELETE", "/mcp", "", "Mcp-Session-Id", answer.header("mcp-session-id"));
  }
}
