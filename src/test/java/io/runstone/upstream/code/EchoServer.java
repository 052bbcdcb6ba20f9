package io.runstone.upstream.code;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * An MCP server of 2025-11-25 with one tool, {@code echo}, which says in which session it was
 * called. Thread-safe.
 */
final class EchoServer implements AutoCloseable {
  private static final JsonMapper JSON = new JsonMapper();

  /** The sessions that clients ended. */
  final BlockingQueue<String> ended = new LinkedBlockingQueue<>();

  private final AtomicInteger sessions = new AtomicInteger();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final HttpServer server;

  EchoServer() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(threads);
    server.createContext("/mcp", this::answer);
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/mcp";
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String session = String.valueOf(exchange.getRequestHeaders().getFirst("Mcp-Session-Id"));
      if (exchange.getRequestMethod().equals("DELETE")) {
        ended.add(session);
        exchange.sendResponseHeaders(200, -1);
      } else if (exchange.getRequestMethod().equals("POST")) {
        post(exchange, session, JSON.readTree(exchange.getRequestBody()));
      } else {
        exchange.sendResponseHeaders(405, -1);
      }
    }
  }

  private void post(HttpExchange exchange, String session, JsonNode message) throws IOException {
    switch (message.path("method").asString("")) {
      case "initialize" -> {
        String made = "session-" + sessions.incrementAndGet();
        exchange.getResponseHeaders().set("Mcp-Session-Id", made);
        result(
            exchange,
            message,
            Map.of(
                "protocolVersion",
                "2025-11-25",
                "capabilities",
                Map.of("tools", Map.of()),
                "serverInfo",
                Map.of("name", "echo", "version", "1")));
      }
      case "tools/list" ->
          result(
              exchange,
              message,
              Map.of(
                  "tools",
                  List.of(
                      Map.of(
                          "name",
                          "echo",
                          "description",
                          "Says it again.",
                          "inputSchema",
                          Map.of(
                              "type",
                              "object",
                              "properties",
                              Map.of("text", Map.of("type", "string")))))));
      case "tools/call" -> {
        String text =
            message.path("params").path("arguments").path("text").asString("") + " in " + session;
        result(exchange, message, Map.of("content", List.of(Map.of("type", "text", "text", text))));
      }
      case "notifications/initialized" -> exchange.sendResponseHeaders(202, -1);
      default -> exchange.sendResponseHeaders(400, -1);
    }
  }

  private static void result(HttpExchange exchange, JsonNode message, Map<String, ?> result)
      throws IOException {
    byte[] body =
        JSON.writeValueAsString(
                Map.of("jsonrpc", "2.0", "id", message.path("id"), "result", result))
            .getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(200, body.length);
    exchange.getResponseBody().write(body);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
