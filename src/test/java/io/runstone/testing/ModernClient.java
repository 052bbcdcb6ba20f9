package io.runstone.testing;

import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A client of MCP 2026-07-28 that judges nothing. Thread-safe. */
public final class ModernClient {
  /** The revision. */
  public static final String VERSION = "2026-07-28";

  private static final String PREFIX = "io.modelcontextprotocol/";

  private final Http http;
  private final AtomicInteger ids = new AtomicInteger();

  /** A client of a server. */
  public ModernClient(Http http) {
    this.http = http;
  }

  /** The metadata that every request has. */
  public static JsonObject meta() {
    return Json.createObjectBuilder()
        .add(PREFIX + "protocolVersion", VERSION)
        .add(
            PREFIX + "clientInfo",
            Json.createObjectBuilder().add("name", "test").add("version", "1"))
        .add(PREFIX + "clientCapabilities", JsonObject.EMPTY_JSON_OBJECT)
        .build();
  }

  /** A request as JSON; the parameters get the metadata if they have none. */
  public String message(String method, JsonObject params) {
    JsonObjectBuilder full = Json.createObjectBuilder(params);
    if (!params.containsKey("_meta")) {
      full.add("_meta", meta());
    }
    return Json.createObjectBuilder()
        .add("jsonrpc", "2.0")
        .add("id", ids.incrementAndGet())
        .add("method", method)
        .add("params", full)
        .build()
        .toString();
  }

  /** The headers that say what the body says. */
  public static String[] headers(String method, JsonObject params, String... more) {
    List<String> headers =
        new ArrayList<>(
            List.of(
                "Accept", McpClient.ACCEPT, "MCP-Protocol-Version", VERSION, "Mcp-Method", method));
    String name = params.getString("name", params.getString("uri", ""));
    if (!name.isEmpty()) {
      headers.addAll(List.of("Mcp-Name", name));
    }
    headers.addAll(List.of(more));
    return headers.toArray(new String[0]);
  }

  /** Posts a request and waits for the whole answer. */
  public Http.Answer post(String method, JsonObject params)
      throws IOException, InterruptedException {
    return http.send("POST", "/mcp", message(method, params), headers(method, params));
  }

  /** Posts a request and returns as soon as the answer begins. */
  public InputStream open(String method, JsonObject params)
      throws IOException, InterruptedException {
    return http.client()
        .send(
            http.request("POST", "/mcp", message(method, params), headers(method, params)),
            HttpResponse.BodyHandlers.ofInputStream())
        .body();
  }

  /** The response in an answer, whichever form it has. */
  public static JsonObject response(Http.Answer answer) {
    if (answer.header("Content-Type").startsWith("application/json")) {
      return answer.json();
    }
    List<JsonObject> messages = McpClient.messages(answer.text());
    return messages.get(messages.size() - 1);
  }

  /** Calls a method and returns its result. */
  public JsonObject call(String method, JsonObject params)
      throws IOException, InterruptedException {
    JsonObject response = response(post(method, params));
    JsonObject result = response.getJsonObject("result");
    if (result == null) {
      throw new AssertionError(response);
    }
    return result;
  }

  /** The parameters of a call of {@code execute_python_code}. */
  public static JsonObject execution(String session, String code) {
    return Json.createObjectBuilder()
        .add("name", "execute_python_code")
        .add("arguments", McpClient.order(session, code))
        .build();
  }
}
