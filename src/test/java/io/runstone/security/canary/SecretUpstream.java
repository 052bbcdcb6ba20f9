package io.runstone.security.canary;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.runstone.testing.canary.Canary;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * An MCP server that wants a secret and, when it is told to fail, shows the secret in everything
 * that is no MCP. Thread-safe.
 */
final class SecretUpstream implements AutoCloseable {
  /** What its tool can be told to do. */
  static final List<String> MODES =
      List.of("ok", "failed", "401", "403", "404", "500", "302", "garbage", "other");

  private static final JsonMapper JSON = new JsonMapper();

  /** Calls of the tool that had the secret, by mode. */
  final Map<String, LongAdder> calls = new ConcurrentHashMap<>();

  /** Requests without the secret, or with it where it does not belong. */
  final Set<String> wrong = ConcurrentHashMap.newKeySet();

  private final String secret;
  private final String session;
  private final String place;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final HttpServer server;

  SecretUpstream(Canary secret, Canary session, Canary place) throws IOException {
    this.secret = "Bearer " + secret.text();
    this.session = session.text();
    this.place = "/" + place.text();
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  int port() {
    return server.getAddress().getPort();
  }

  String url() {
    return "http://127.0.0.1:" + port() + place;
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String token = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"));
      String path = exchange.getRequestURI().getPath();
      if (!token.equals(secret) || !path.equals(place)) {
        wrong.add(exchange.getRequestMethod() + " " + path);
        exchange.sendResponseHeaders(401, -1);
      } else if (exchange.getRequestMethod().equals("POST")) {
        post(exchange, JSON.readTree(exchange.getRequestBody()));
      } else {
        exchange.sendResponseHeaders(405, -1);
      }
    }
  }

  private void post(HttpExchange exchange, JsonNode message) throws IOException {
    switch (message.path("method").asString("")) {
      case "initialize" -> {
        exchange.getResponseHeaders().set("Mcp-Session-Id", session);
        result(
            exchange,
            message,
            Map.of(
                "protocolVersion",
                "2025-11-25",
                "capabilities",
                Map.of("tools", Map.of()),
                "serverInfo",
                Map.of("name", "secret", "version", "1")));
      }
      case "tools/list" ->
          result(
              exchange,
              message,
              Map.of("tools", List.of(Map.of("name", "say", "inputSchema", schema()))));
      case "tools/call" -> call(exchange, message);
      case "server/discover" -> exchange.sendResponseHeaders(400, -1);
      default -> exchange.sendResponseHeaders(202, -1);
    }
  }

  private static Map<String, ?> schema() {
    return Map.of("type", "object", "properties", Map.of("mode", Map.of("type", "string")));
  }

  private void call(HttpExchange exchange, JsonNode message) throws IOException {
    String mode = message.path("params").path("arguments").path("mode").asString("");
    calls.computeIfAbsent(mode, key -> new LongAdder()).increment();
    String shown = "you sent " + secret + " in " + session;
    switch (mode) {
      case "401", "403", "404", "500", "302" -> {
        exchange.getResponseHeaders().set("WWW-Authenticate", "Bearer error=\"" + shown + "\"");
        exchange.getResponseHeaders().set("Location", "/elsewhere");
        exchange.getResponseHeaders().set("Retry-After", shown);
        send(exchange, Integer.parseInt(mode), "text/html", "<h1>" + shown + "</h1>");
      }
      case "garbage" -> send(exchange, 200, "application/json", "{" + shown);
      case "other" -> send(exchange, 200, shown, "{\"jsonrpc\":\"2.0\",\"id\":\"" + shown + "\"}");
      default ->
          result(
              exchange,
              message,
              Map.of(
                  "isError",
                  mode.equals("failed"),
                  "content",
                  List.of(Map.of("type", "text", "text", "said " + mode))));
    }
  }

  private static void result(HttpExchange exchange, JsonNode message, Map<String, ?> result)
      throws IOException {
    Map<String, ?> answer = Map.of("jsonrpc", "2.0", "id", message.path("id"), "result", result);
    send(exchange, 200, "application/json", JSON.writeValueAsString(answer));
  }

  private static void send(HttpExchange exchange, int status, String type, String text)
      throws IOException {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
