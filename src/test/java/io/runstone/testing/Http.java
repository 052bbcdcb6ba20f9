package io.runstone.testing;

import jakarta.json.Json;
import jakarta.json.JsonArray;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import jakarta.json.JsonReader;
import java.io.IOException;
import java.io.StringReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** A client of the REST surface that judges nothing. Thread-safe. */
public final class Http {
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private final URI base;
  private final Map<String, String> headers;

  /** A client of one server that sends those headers with every request. */
  public Http(URI base, Map<String, String> headers) {
    this.base = base;
    this.headers = Map.copyOf(headers);
  }

  /** What came back. */
  public record Answer(int status, HttpResponse<String> response) {
    /** The body as it is. */
    public String text() {
      return response.body();
    }

    /** The body as an object. */
    public JsonObject json() {
      try (JsonReader reader = Json.createReader(new StringReader(text()))) {
        return reader.readObject();
      }
    }

    /** The sentence in {@code error}. */
    public String error() {
      return json().getString("error");
    }

    /** A header, or an empty text. */
    public String header(String name) {
      return response.headers().firstValue(name).orElse("");
    }
  }

  /** Sends a request and waits; a null body is none. */
  public Answer send(String method, String path, String body, String... more)
      throws IOException, InterruptedException {
    HttpResponse<String> response =
        CLIENT.send(request(method, path, body, more), HttpResponse.BodyHandlers.ofString());
    return new Answer(response.statusCode(), response);
  }

  /** Sends a request and does not wait. */
  public CompletableFuture<Answer> sendLater(
      String method, String path, String body, String... more) {
    return CLIENT
        .sendAsync(request(method, path, body, more), HttpResponse.BodyHandlers.ofString())
        .thenApply(response -> new Answer(response.statusCode(), response));
  }

  /** Builds a request; {@code more} are names and values of headers. */
  public HttpRequest request(String method, String path, String body, String... more) {
    HttpRequest.BodyPublisher publisher =
        body.isEmpty()
            ? HttpRequest.BodyPublishers.noBody()
            : HttpRequest.BodyPublishers.ofString(body);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(base.resolve(path))
            .timeout(Duration.ofSeconds(60))
            .method(method, publisher);
    headers.forEach(request::setHeader);
    request.setHeader("Content-Type", "application/json");
    for (int i = 0; i < more.length; i += 2) {
      request.setHeader(more[i], more[i + 1]);
    }
    return request.build();
  }

  /** The client below, for what this class does not offer. */
  public HttpClient client() {
    return CLIENT;
  }

  /** Starts a named session and checks that it did. */
  public void start(String id) throws IOException, InterruptedException {
    Answer answer = send("POST", "/v1/sessions/session", "{\"session_id\":\"" + id + "\"}");
    if (answer.status() != 201) {
      throw new AssertionError(answer.status() + " " + answer.text());
    }
  }

  /** Stops every session of this client. */
  public void stopAll() throws IOException, InterruptedException {
    JsonArray sessions = send("GET", "/v1/sessions/session", "").json().getJsonArray("sessions");
    for (JsonObject session : sessions.getValuesAs(JsonObject.class)) {
      send("DELETE", "/v1/sessions/session?session_id=" + session.getString("session_id"), "");
    }
  }

  /** Runs code in a session, or in a clean kernel when the id is empty. */
  public JsonObject execute(String id, String code) throws IOException, InterruptedException {
    Answer answer = send("POST", "/execute", order(id, code));
    if (answer.status() != 200) {
      throw new AssertionError(answer.status() + " " + answer.text());
    }
    return answer.json();
  }

  /** The body of an execution. */
  public static String order(String id, String code) {
    JsonObjectBuilder body = Json.createObjectBuilder().add("code", code);
    if (!id.isEmpty()) {
      body.add("session_id", id);
    }
    return body.build().toString();
  }
}
