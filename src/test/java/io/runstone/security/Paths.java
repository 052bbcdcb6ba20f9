package io.runstone.security;

import io.runstone.testing.Http;
import io.runstone.testing.McpClient;
import io.runstone.testing.ModernClient;
import jakarta.json.Json;
import jakarta.json.JsonObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Everything that can be asked of a server, and which scope it needs. */
final class Paths {
  private static final String SESSION = "/v1/sessions/session";
  private static final String ABSENT = "{\"session_id\":\"absent\"}";

  /** The tools, and the scope of each. */
  static final Map<String, String> TOOLS = tools();

  private Paths() {}

  /**
   * A request.
   *
   * @param scope what it needs; empty for what everybody may who is known
   */
  record Request(String method, String path, String body, String scope, List<String> headers) {
    Http.Answer send(Http http) throws IOException, InterruptedException {
      return http.send(method, path, body, headers.toArray(new String[0]));
    }

    @Override
    public String toString() {
      return method + " " + path + " " + body;
    }
  }

  private static Map<String, String> tools() {
    Map<String, String> tools = new LinkedHashMap<>();
    tools.put("execute_python_code", "runstone:execute");
    for (String verb : List.of("stop", "interrupt", "restart", "start")) {
      tools.put(verb + "_python_session", "runstone:sessions");
    }
    tools.put("list_python_sessions", "runstone:sessions");
    return tools;
  }

  static List<Request> rest() {
    List<Request> all = new ArrayList<>();
    all.add(rest("POST", "/execute", "{\"code\":\"1\"}", "runstone:execute"));
    all.add(rest("GET", SESSION, "", "runstone:sessions"));
    all.add(rest("GET", SESSION + "?session_id=absent", "", "runstone:sessions"));
    all.add(rest("POST", SESSION, "{}", "runstone:sessions"));
    all.add(rest("DELETE", SESSION, ABSENT, "runstone:sessions"));
    all.add(rest("POST", SESSION + "/interrupt", ABSENT, "runstone:sessions"));
    all.add(rest("POST", SESSION + "/restart", ABSENT, "runstone:sessions"));
    all.add(rest("GET", "/v1/executions/0/outputs/0", "", "runstone:execute"));
    return all;
  }

  /** What answers 404 or the like to everybody who is known. */
  static List<Request> nothing() {
    List<Request> all = new ArrayList<>();
    for (String path :
        List.of(
            "/",
            "/nothing",
            "/error",
            "/metrics",
            "/metrics/base",
            "/openapi",
            "/openapi/x",
            "/application.wadl",
            "/health/other",
            "/health;a",
            "/health/",
            "/health%2e",
            "/mcp/",
            "/mcp/x",
            "/execute/",
            "/execute;/health",
            "/.well-known/openid-configuration",
            "/.well-known/oauth-authorization-server",
            "/.well-known/oauth-protected-resource/execute",
            "/index.html")) {
      all.add(rest("GET", path, "", ""));
    }
    all.add(rest("OPTIONS", "/execute", "", ""));
    all.add(rest("PUT", "/execute", "{}", ""));
    return all;
  }

  /** Requests to the MCP endpoint of the era without sessions. */
  static List<Request> modern() {
    List<Request> all = new ArrayList<>();
    TOOLS.forEach((tool, scope) -> all.add(modern("tools/call", call(tool), scope)));
    all.add(read("runstone://sessions", "runstone:sessions"));
    all.add(read("runstone://files/absent.txt", "runstone:files"));
    all.add(read("runstone://executions/0/outputs/0", "runstone:execute"));
    return all;
  }

  /** What of it everybody may who is known. */
  static List<Request> modernForAll() {
    return List.of(
        modern("tools/list", JsonObject.EMPTY_JSON_OBJECT, ""),
        modern("resources/list", JsonObject.EMPTY_JSON_OBJECT, ""));
  }

  /** Requests to the MCP endpoint that come before or outside of a session. */
  static List<Request> mcp() {
    return List.of(
        new Request(
            "POST",
            "/mcp",
            McpClient.initialize("2025-06-18"),
            "",
            List.of("Accept", McpClient.ACCEPT)),
        new Request("POST", "/mcp", "not JSON", "", List.of("Accept", McpClient.ACCEPT)),
        new Request(
            "GET", "/mcp", "", "", List.of("Accept", McpClient.ACCEPT, "Mcp-Session-Id", "x")),
        new Request("DELETE", "/mcp", "", "", List.of("Mcp-Session-Id", "x")),
        new Request("PUT", "/mcp", "{}", "", List.of()));
  }

  /** What a call of a tool says. */
  static JsonObject call(String tool) {
    JsonObject arguments =
        tool.startsWith("execute")
            ? McpClient.args("command", "1")
            : tool.startsWith("list")
                ? JsonObject.EMPTY_JSON_OBJECT
                : McpClient.args("session_id", tool.startsWith("start") ? "table" : "absent");
    return Json.createObjectBuilder().add("name", tool).add("arguments", arguments).build();
  }

  private static Request read(String uri, String scope) {
    return modern("resources/read", McpClient.args("uri", uri), scope);
  }

  private static Request rest(String method, String path, String body, String scope) {
    return new Request(method, path, body, scope, List.of());
  }

  private static Request modern(String method, JsonObject params, String scope) {
    return new Request(
        "POST",
        "/mcp",
        message(method, params),
        scope,
        List.of(ModernClient.headers(method, params)));
  }

  private static String message(String method, JsonObject params) {
    return Json.createObjectBuilder()
        .add("jsonrpc", "2.0")
        .add("id", 4711)
        .add("method", method)
        .add("params", Json.createObjectBuilder(params).add("_meta", ModernClient.meta()))
        .build()
        .toString();
  }
}
