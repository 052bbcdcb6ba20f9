package io.runstone.testing;

import jakarta.json.Json;
import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonObject;
import jakarta.json.JsonReader;
import jakarta.json.JsonValue;
import java.io.IOException;
import java.io.StringReader;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** A bare client of the MCP endpoint, which shows what is on the wire. Thread-safe. */
public final class McpClient {
  /** What a client of the transport accepts. */
  public static final String ACCEPT = "application/json, text/event-stream";

  private final Http http;
  private final String session;
  private final AtomicInteger ids = new AtomicInteger(1);

  private McpClient(Http http, String session) {
    this.http = http;
    this.session = session;
  }

  /** The message that opens a session. */
  public static String initialize(String version) {
    return "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\""
        + version
        + "\",\"capabilities\":{},\"clientInfo\":{\"name\":\"test\",\"version\":\"1\"}}}";
  }

  /** Opens a session. */
  public static McpClient open(Http http) throws IOException, InterruptedException {
    Http.Answer answer = http.send("POST", "/mcp", initialize("2025-06-18"), "Accept", ACCEPT);
    if (answer.status() != 200) {
      throw new AssertionError(answer.status() + " " + answer.text());
    }
    McpClient client = new McpClient(http, answer.header("mcp-session-id"));
    client.post("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
    return client;
  }

  /** The id of the MCP session. */
  public String session() {
    return session;
  }

  /** Posts any body in this session. */
  public Http.Answer post(String body) throws IOException, InterruptedException {
    return http.send("POST", "/mcp", body, "Accept", ACCEPT, "Mcp-Session-Id", session);
  }

  /** Ends the session. */
  public Http.Answer delete() throws IOException, InterruptedException {
    return http.send("DELETE", "/mcp", "", "Mcp-Session-Id", session);
  }

  /** The messages of an event stream, in order. */
  public static List<JsonObject> messages(String body) {
    return body.lines()
        .filter(line -> line.startsWith("data: "))
        .map(line -> parse(line.substring(6)))
        .toList();
  }

  private static JsonObject parse(String json) {
    try (JsonReader reader = Json.createReader(new StringReader(json))) {
      return reader.readObject();
    }
  }

  /** The first message of an event stream, which is all that some clients look at. */
  public static JsonObject first(Http.Answer answer) {
    if (answer.status() != 200) {
      throw new AssertionError(answer.status() + " " + answer.text());
    }
    return messages(answer.text()).get(0);
  }

  /** Calls a method and returns the whole answer. */
  public JsonObject call(String method, JsonObject params)
      throws IOException, InterruptedException {
    return first(post(message(method, params)));
  }

  /** Calls a tool and returns its result. */
  public JsonObject tool(String name, JsonObject arguments)
      throws IOException, InterruptedException {
    JsonObject params =
        Json.createObjectBuilder().add("name", name).add("arguments", arguments).build();
    return call("tools/call", params).getJsonObject("result");
  }

  /** Calls a tool with a progress token; hears each message the moment it arrives. */
  public List<JsonObject> toolWithProgress(
      String name, JsonObject arguments, Consumer<JsonObject> onMessage)
      throws IOException, InterruptedException {
    JsonObject params =
        Json.createObjectBuilder()
            .add("name", name)
            .add("arguments", arguments)
            .add("_meta", Json.createObjectBuilder().add("progressToken", "p1"))
            .build();
    HttpResponse<Stream<String>> response =
        http.client()
            .send(
                http.request(
                    "POST",
                    "/mcp",
                    message("tools/call", params),
                    "Accept",
                    ACCEPT,
                    "Mcp-Session-Id",
                    session),
                HttpResponse.BodyHandlers.ofLines());
    List<JsonObject> all = new ArrayList<>();
    try (Stream<String> lines = response.body()) {
      lines
          .filter(line -> line.startsWith("data: "))
          .map(line -> parse(line.substring(6)))
          .forEach(
              message -> {
                all.add(message);
                onMessage.accept(message);
              });
    }
    return all;
  }

  private String message(String method, JsonObject params) {
    return Json.createObjectBuilder()
        .add("jsonrpc", "2.0")
        .add("id", ids.incrementAndGet())
        .add("method", method)
        .add("params", params)
        .build()
        .toString();
  }

  /** Runs code in a session, or in this connection's own when the id is empty. */
  public JsonObject execute(String id, String code) throws IOException, InterruptedException {
    return tool("execute_python_code", order(id, code));
  }

  /** The message that runs code in a session. */
  public static String execution(int id, String session, String code) {
    return Json.createObjectBuilder()
        .add("jsonrpc", "2.0")
        .add("id", id)
        .add("method", "tools/call")
        .add(
            "params",
            Json.createObjectBuilder()
                .add("name", "execute_python_code")
                .add("arguments", order(session, code)))
        .build()
        .toString();
  }

  /** The arguments of an execution. */
  public static JsonObject order(String id, String code) {
    return id.isEmpty()
        ? Json.createObjectBuilder().add("command", code).build()
        : Json.createObjectBuilder().add("command", code).add("session_id", id).build();
  }

  /** The text that a result shows. */
  public static String text(JsonObject result) {
    return result.getJsonArray("content").getJsonObject(0).getString("text");
  }

  /** The ids in a result of {@code list_python_sessions}. */
  public static List<String> ids(JsonObject listed) {
    return listed
        .getJsonObject("structuredContent")
        .getJsonArray("result")
        .getValuesAs(JsonObject.class)
        .stream()
        .map(session -> session.getString("session_id"))
        .toList();
  }

  /** An object with one text in it. */
  public static JsonObject args(String name, String value) {
    return Json.createObjectBuilder().add(name, value).build();
  }

  /** A batch of messages. */
  public static String batch(String... messages) {
    JsonArrayBuilder batch = Json.createArrayBuilder();
    for (String message : messages) {
      batch.add((JsonValue) parse(message));
    }
    return batch.build().toString();
  }
}
