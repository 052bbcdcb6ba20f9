package io.runstone.console;

import com.sun.net.httpserver.HttpExchange;
import io.runstone.testing.AuthorizationServer;
import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import jakarta.json.JsonReader;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;

/**
 * The smallest MCP server of 2025-06-18 that wants tokens of an authorization server: its one tool
 * {@code ping} says {@code pong}. Stateless.
 */
final class UpstreamStub {
  private final AuthorizationServer issuer;

  UpstreamStub(AuthorizationServer issuer) {
    this.issuer = issuer;
  }

  void handle(HttpExchange exchange) throws IOException {
    String header = exchange.getRequestHeaders().getFirst("Authorization");
    if (header == null || !header.startsWith("Bearer ") || !issuer.takes(header.substring(7))) {
      exchange
          .getResponseHeaders()
          .set(
              "WWW-Authenticate",
              "Bearer resource_metadata=\"%s/.well-known/oauth-protected-resource/mcp\""
                  .formatted(issuer.issuer()));
      exchange.sendResponseHeaders(401, -1);
      return;
    } else if (!exchange.getRequestMethod().equals("POST")) {
      exchange.sendResponseHeaders(405, -1);
      return;
    }
    String text = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    try (JsonReader reader = Json.createReader(new StringReader(text))) {
      answer(exchange, reader.readObject());
    }
  }

  private static void answer(HttpExchange exchange, JsonObject request) throws IOException {
    if (!request.containsKey("id")) {
      exchange.sendResponseHeaders(202, -1);
      return;
    }
    JsonObjectBuilder answer =
        Json.createObjectBuilder().add("jsonrpc", "2.0").add("id", request.get("id"));
    switch (request.getString("method", "")) {
      case "initialize" ->
          answer.add(
              "result",
              Json.createObjectBuilder()
                  .add("protocolVersion", "2025-06-18")
                  .add(
                      "capabilities",
                      Json.createObjectBuilder().add("tools", Json.createObjectBuilder()))
                  .add(
                      "serverInfo",
                      Json.createObjectBuilder().add("name", "stub").add("version", "1")));
      case "tools/list" ->
          answer.add(
              "result",
              Json.createObjectBuilder()
                  .add(
                      "tools",
                      Json.createArrayBuilder()
                          .add(
                              Json.createObjectBuilder()
                                  .add("name", "ping")
                                  .add("description", "Says pong.")
                                  .add(
                                      "inputSchema",
                                      Json.createObjectBuilder().add("type", "object")))));
      case "tools/call" ->
          answer.add(
              "result",
              Json.createObjectBuilder()
                  .add(
                      "content",
                      Json.createArrayBuilder()
                          .add(
                              Json.createObjectBuilder().add("type", "text").add("text", "pong"))));
      default ->
          answer.add(
              "error",
              Json.createObjectBuilder().add("code", -32601).add("message", "no such method"));
    }
    AuthorizationServer.send(exchange, 200, answer.build());
  }
}
