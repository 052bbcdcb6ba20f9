package io.runstone.upstream.spike;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import tools.jackson.databind.json.JsonMapper;

/**
 * An MCP server of 2025-11-25 that counts the calls of each session, and checks that a call which
 * says whose it is came with that user's token. Thread-safe.
 */
final class CountingServer implements AutoCloseable {
  private static final JsonMapper JSON = new JsonMapper();

  static {
    // The JDK's server sends head and body apart; without this the body waits 40 ms for the client.
    System.setProperty("sun.net.httpserver.nodelay", "true");
  }

  private static final Map<String, Object> TOOL =
      Map.of(
          "name",
          "count",
          "description",
          "Counts the calls of this session.",
          "inputSchema",
          Map.of(
              "type",
              "object",
              "properties",
              Map.of("user", Map.of("type", "string")),
              "required",
              List.of("user")));

  private final HttpServer http;
  private final ExecutorService threads = Executors.newFixedThreadPool(8);
  private final Map<String, AtomicInteger> sessions = new ConcurrentHashMap<>();
  private final Map<String, String> owners = new ConcurrentHashMap<>();

  /** Calls whose token was not their user's, or whose session was opened by another. */
  final LongAdder wrong = new LongAdder();

  final LongAdder calls = new LongAdder();

  CountingServer() throws IOException {
    this.http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 500);
    http.setExecutor(threads);
    http.createContext("/mcp", this::answer);
    http.start();
  }

  URI url() {
    return URI.create("http://127.0.0.1:" + http.getAddress().getPort() + "/mcp");
  }

  int sessions() {
    return sessions.size();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      String session = String.valueOf(exchange.getRequestHeaders().getFirst("Mcp-Session-Id"));
      String token = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"));
      if (exchange.getRequestMethod().equals("DELETE")) {
        sessions.remove(session);
        exchange.sendResponseHeaders(200, -1);
      } else if (exchange.getRequestMethod().equals("GET")) {
        exchange.sendResponseHeaders(405, -1);
      } else {
        post(exchange, JSON.readValue(body, Map.class), session, token);
      }
    }
  }

  private void post(HttpExchange exchange, Map<?, ?> message, String session, String token)
      throws IOException {
    switch (String.valueOf(message.get("method"))) {
      case "initialize" -> {
        String made = UUID.randomUUID().toString();
        sessions.put(made, new AtomicInteger());
        owners.put(made, token);
        exchange.getResponseHeaders().set("Mcp-Session-Id", made);
        send(
            exchange,
            200,
            result(
                message,
                Map.of(
                    "protocolVersion",
                    "2025-11-25",
                    "capabilities",
                    Map.of("tools", Map.of()),
                    "serverInfo",
                    Map.of("name", "counting", "version", "1"))));
      }
      case "tools/list" -> send(exchange, 200, result(message, Map.of("tools", List.of(TOOL))));
      case "tools/call" -> call(exchange, message, session, token);
      case "notifications/initialized", "notifications/cancelled" ->
          exchange.sendResponseHeaders(202, -1);
      default ->
          send(
              exchange,
              400,
              Map.of(
                  "jsonrpc",
                  "2.0",
                  "id",
                  message.get("id") == null ? 0 : message.get("id"),
                  "error",
                  Map.of("code", -32600, "message", "no such method")));
    }
  }

  private void call(HttpExchange exchange, Map<?, ?> message, String session, String token)
      throws IOException {
    calls.increment();
    String user = user(message);
    if (!token.equals(Pool.token(user)) || !token.equals(owners.get(session))) {
      wrong.increment();
    }
    AtomicInteger count = sessions.get(session);
    if (count == null) {
      exchange.sendResponseHeaders(404, -1);
      return;
    }
    String text = user + " " + count.incrementAndGet();
    send(
        exchange,
        200,
        result(message, Map.of("content", List.of(Map.of("type", "text", "text", text)))));
  }

  private static String user(Map<?, ?> message) {
    return message.get("params") instanceof Map<?, ?> params
            && params.get("arguments") instanceof Map<?, ?> arguments
        ? String.valueOf(arguments.get("user"))
        : "";
  }

  private static Map<String, Object> result(Map<?, ?> message, Map<String, Object> result) {
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("jsonrpc", "2.0");
    answer.put("id", message.get("id"));
    answer.put("result", result);
    return answer;
  }

  private static void send(HttpExchange exchange, int status, Map<String, Object> json)
      throws IOException {
    byte[] bytes = JSON.writeValueAsBytes(json);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  @Override
  public void close() {
    http.stop(0);
    threads.shutdownNow();
  }
}
