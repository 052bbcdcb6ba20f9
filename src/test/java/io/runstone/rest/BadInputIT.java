package io.runstone.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.runstone.testing.Http;
import io.runstone.testing.McpClient;
import io.runstone.testing.Wars;
import jakarta.json.Json;
import java.io.IOException;
import java.net.Socket;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.RunAsClient;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Every wrong request is answered in JSON, with the right status, and leaves nothing behind. */
@ExtendWith(ArquillianExtension.class)
@RunAsClient
class BadInputIT {
  private static final String SESSION = "/v1/sessions/session";
  private static final String INITIALIZE = McpClient.initialize("2025-06-18");

  @ArquillianResource private URL base;
  private Http http;

  @Deployment(testable = false)
  static WebArchive war() {
    return Wars.built();
  }

  @BeforeEach
  void connect() throws Exception {
    http = new Http(base.toURI(), Map.of());
  }

  private Http.Answer refused(int status, String method, String path, String body, String... more)
      throws Exception {
    Http.Answer answer = http.send(method, path, body, more);
    String request = method + " " + path + " " + body.substring(0, Math.min(80, body.length()));
    assertThat(answer.status()).as(request).isEqualTo(status);
    assertThat(answer.header("Content-Type")).as(request).startsWith("application/json");
    assertThat(answer.json()).as(request).containsKey("error");
    assertThat(answer.text()).as(request).doesNotContain("Exception", "at io.", "<html", ".java:");
    assertThat(http.send("GET", SESSION, "").json().getJsonArray("sessions")).as(request).isEmpty();
    return answer;
  }

  @Test
  void badExecutions() throws Exception {
    for (String body :
        new String[] {
          "",
          "{}",
          "[]",
          "null",
          "nonsense",
          "{\"code\":\"1\"",
          "{\"code\":\"\"}",
          "{\"code\":\" \\n\"}",
          "{\"code\":null}",
          "{\"code\":5}",
          "{\"code\":[\"1\"]}",
          "{\"code\":\"1\",\"session_id\":5}",
          "{\"code\":\"1\",\"session_id\":\"../x\"}",
          "{\"code\":\"1\",\"session_id\":\"\"}",
          "{\"code\":\"1\",\"timeout\":\"5\"}",
          "{\"code\":\"1\",\"timeout\":0}",
          "{\"code\":\"1\",\"timeout\":-1}",
          "{\"code\":\"1\",\"timeout\":1e300}",
          "{\"code\":\"1\",\"language\":\"ruby\"}",
          "{\"code\":\"1\",\"language\":5}"
        }) {
      refused(400, "POST", "/execute", body);
    }
    Http.Answer unknown =
        refused(404, "POST", "/execute", "{\"code\":\"1\",\"session_id\":\"unknown\"}");
    assertThat(unknown.json().getString("stderr")).isNotBlank();
  }

  @Test
  void badSessions() throws Exception {
    for (String body :
        new String[] {
          "[]",
          "nonsense",
          "{\"session_id\":5}",
          "{\"session_id\":\"\"}",
          "{\"session_id\":\"a b\"}",
          "{\"session_id\":\"" + "a".repeat(65) + "\"}"
        }) {
      refused(400, "POST", SESSION, body);
    }
    refused(404, "GET", SESSION + "?session_id=unknown", "");
    refused(400, "GET", SESSION + "?session_id=a%20b", "");
    refused(404, "DELETE", SESSION + "?session_id=unknown", "");
    refused(400, "DELETE", SESSION, "");
    refused(400, "DELETE", SESSION + "?session_id=%2e%2e%2fx", "");
    http.start("taken");
    Http.Answer taken = http.send("POST", SESSION, "{\"session_id\":\"taken\"}");
    assertThat(taken.status()).isEqualTo(409);
    assertThat(taken.error()).contains("taken");
    http.stopAll();
  }

  @Test
  void wrongMethodsTypesAndPaths() throws Exception {
    refused(405, "GET", "/execute", "");
    refused(405, "PUT", "/execute", "{}");
    refused(405, "PATCH", SESSION, "{}");
    refused(405, "POST", "/health", "{}");
    refused(405, "PUT", "/mcp", "{}");
    refused(404, "GET", "/nowhere", "");
    refused(404, "GET", "/", "");
    refused(404, "GET", "/metrics", "");
    refused(404, "GET", "/openapi", "");
    refused(404, "POST", "/v1/browser/interactions/navigate", "{}");
    refused(415, "POST", "/execute", "code=1", "Content-Type", "application/x-www-form-urlencoded");
    refused(415, "POST", SESSION, "{}", "Content-Type", "text/plain");
    refused(
        415, "POST", "/mcp", INITIALIZE, "Content-Type", "text/plain", "Accept", McpClient.ACCEPT);
    refused(406, "POST", "/execute", "{\"code\":\"1\"}", "Accept", "text/html");
    refused(406, "POST", "/mcp", INITIALIZE, "Accept", "application/json");
    refused(406, "GET", "/mcp", "", "Accept", "application/json");
  }

  @Test
  void bodiesAboveTheCap() throws Exception {
    String large = "x".repeat(4 * 1024 * 1024);
    String code = Json.createObjectBuilder().add("code", "#" + large).build().toString();
    refused(413, "POST", "/execute", code);
    refused(413, "POST", SESSION, "{\"session_id\":\"" + large + "\"}");
    refused(413, "POST", "/mcp", code, "Accept", McpClient.ACCEPT);
    String fits =
        Json.createObjectBuilder().add("code", "1 #" + large.substring(100)).build().toString();
    assertThat(http.send("POST", "/execute", fits).status()).isEqualTo(200);
  }

  @Test
  void badMcpMessages() throws Exception {
    McpClient client = McpClient.open(http);
    String[] session = {"Accept", McpClient.ACCEPT, "Mcp-Session-Id", client.session()};
    for (String body :
        new String[] {
          "",
          "nonsense",
          "{",
          "null",
          "5",
          "{}",
          "{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"ping\"}",
          "{\"jsonrpc\":\"2.0\",\"id\":1}",
          "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}",
          "{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"ping\"}",
          "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":5}",
          McpClient.batch(INITIALIZE)
        }) {
      refused(400, "POST", "/mcp", body, session);
    }
    String ping = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
    refused(400, "POST", "/mcp", ping, "Accept", McpClient.ACCEPT);
    refused(404, "POST", "/mcp", ping, "Accept", McpClient.ACCEPT, "Mcp-Session-Id", "unknown");
    refused(404, "DELETE", "/mcp", "", "Mcp-Session-Id", "unknown");
    refused(400, "DELETE", "/mcp", "");
    refused(400, "GET", "/mcp", "", "Accept", "text/event-stream");
    refused(
        400,
        "POST",
        "/mcp",
        ping,
        "Accept",
        McpClient.ACCEPT,
        "Mcp-Session-Id",
        client.session(),
        "MCP-Protocol-Version",
        "1999-01-01");
    assertThat(client.post(ping).status()).isEqualTo(200);
    for (String params :
        new String[] {
          "null",
          "5",
          "[]",
          "\"x\"",
          "{\"name\":5,\"arguments\":[]}",
          "{\"name\":\"list_python_sessions\",\"arguments\":[]}",
          "{\"name\":\"list_python_sessions\",\"_meta\":\"x\"}"
        }) {
      Http.Answer answer =
          client.post(
              "{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"tools/call\",\"params\":" + params + "}");
      assertThat(McpClient.first(answer).getInt("id")).as(params).isEqualTo(8);
      assertThat(McpClient.first(answer)).as(params).containsKey("error");
    }
    String cancelled =
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":99}}";
    assertThat(client.post(cancelled).status()).isEqualTo(202);
  }

  @Test
  void foreignHostsAndOrigins() throws Exception {
    for (String path : new String[] {"/health", "/execute", SESSION, "/mcp", "/nowhere"}) {
      refused(403, "GET", path, "", "Origin", "https://evil.example");
      assertThat(rawStatus("GET " + path + " HTTP/1.1\r\nHost: evil.example\r\n"))
          .as(path)
          .startsWith("HTTP/1.1 403");
    }
    Http.Answer allowed = http.send("GET", "/health", "", "Origin", "http://localhost:3000");
    assertThat(allowed.status()).isEqualTo(200);
    assertThat(allowed.header("X-Content-Type-Options")).isEqualTo("nosniff");
    assertThat(allowed.header("Content-Security-Policy")).contains("default-src 'none'");
    assertThat(allowed.header("Access-Control-Allow-Origin")).isEmpty();
  }

  private String rawStatus(String head) throws IOException {
    try (Socket socket = new Socket(base.getHost(), base.getPort())) {
      socket.setSoTimeout(10_000);
      socket
          .getOutputStream()
          .write((head + "Connection: close\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void malformedHttpGetsNoPageAndNoTrace() throws Exception {
    String answer = rawStatus("GET /..%2f HTTP/1.1\r\nHost: localhost\r\n");
    assertThat(answer).startsWith("HTTP/1.1 4").doesNotContain("Exception", ".java:");
  }
}
