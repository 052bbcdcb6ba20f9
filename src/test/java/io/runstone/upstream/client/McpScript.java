package io.runstone.upstream.client;

import io.runstone.upstream.client.ScriptedServer.Request;
import io.runstone.upstream.client.ScriptedServer.Response;
import io.runstone.upstream.client.ScriptedServer.Script;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A well-behaved MCP server, of which a test changes what it is about. Thread-safe. */
final class McpScript implements Script {
  private final Map<String, Script> scripts = new ConcurrentHashMap<>();

  private McpScript() {}

  /** One of 2026-07-28. */
  static McpScript modern() {
    return new McpScript()
        .on(
            "server/discover",
            (request, response) ->
                response.result(
                    request,
                    Map.of(
                        "resultType",
                        "complete",
                        "supportedVersions",
                        List.of("2026-07-28"),
                        "capabilities",
                        Map.of("tools", Map.of()))))
        .withTools();
  }

  /** One of the revisions before. */
  static McpScript legacy() {
    return legacy("2025-11-25", Map.of("tools", Map.of()), "Mcp-Session-Id: session-1");
  }

  /** One with particulars. */
  static McpScript legacy(String version, Map<String, ?> capabilities, String... headers) {
    return new McpScript()
        .on(
            "server/discover",
            (request, response) ->
                response.error(400, request.id(), -32600, "Bad Request: no session", Map.of()))
        .on(
            "initialize",
            (request, response) ->
                response.result(
                    request,
                    Map.of(
                        "protocolVersion",
                        version,
                        "capabilities",
                        capabilities,
                        "serverInfo",
                        Map.of("name", "scripted", "version", "1")),
                    headers))
        .on("notifications/initialized", (request, response) -> response.accepted())
        .on("notifications/cancelled", (request, response) -> response.accepted())
        .on("DELETE", (request, response) -> response.status(200))
        .on("GET", (request, response) -> response.status(405))
        .withTools();
  }

  private McpScript withTools() {
    return on(
            "tools/list",
            (request, response) -> response.result(request, Map.of("tools", List.of(tool("echo")))))
        .on(
            "tools/call",
            (request, response) -> response.result(request, text(argument(request, "text"))));
  }

  /** A tool as a list has it. */
  static Map<String, Object> tool(String name) {
    Map<String, Object> tool = new LinkedHashMap<>();
    tool.put("name", name);
    tool.put("inputSchema", Map.of("type", "object"));
    return tool;
  }

  /** A result with a text. */
  static Map<String, Object> text(String text) {
    return Map.of("content", List.of(Map.of("type", "text", "text", text)));
  }

  /** An argument of a call. */
  static String argument(Request request, String name) {
    return request.params().get("arguments") instanceof Map<?, ?> arguments
        ? String.valueOf(arguments.get(name))
        : "";
  }

  /** Answers a method in another way. */
  McpScript on(String method, Script script) {
    scripts.put(method, script);
    return this;
  }

  @Override
  public void answer(Request request, Response response) throws IOException, InterruptedException {
    Script script = scripts.get(request.rpc());
    if (script == null) {
      response.status(404);
    } else {
      script.answer(request, response);
    }
  }
}
