package io.runstone.console;

import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import jakarta.json.JsonReader;
import java.io.IOException;
import java.io.StringReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A real browser without a window, told what to do by Chromium's DevTools protocol. Used by one
 * thread.
 */
final class Browser implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final Process process;
  private final WebSocket socket;
  private final AtomicInteger numbers = new AtomicInteger();
  private final Map<Integer, CompletableFuture<JsonObject>> waiting = new ConcurrentHashMap<>();

  /** Starts a Chromium with a new profile in a directory. */
  Browser(Path profile) throws Exception {
    process =
        new ProcessBuilder(
                "chromium",
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--no-first-run",
                "--remote-debugging-port=0",
                "--user-data-dir=" + profile,
                "about:blank")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    String port = port(profile.resolve("DevToolsActivePort"));
    HttpClient http = HttpClient.newHttpClient();
    String page =
        http.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/json/new"))
                    .PUT(HttpRequest.BodyPublishers.noBody())
                    .build(),
                HttpResponse.BodyHandlers.ofString())
            .body();
    socket =
        http.newWebSocketBuilder()
            .buildAsync(URI.create(parsed(page).getString("webSocketDebuggerUrl")), new Ear())
            .get(20, TimeUnit.SECONDS);
    send("Page.enable", Json.createObjectBuilder());
  }

  private String port(Path file) throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() < deadline && process.isAlive()) {
      if (Files.exists(file)) {
        List<String> lines = Files.readAllLines(file);
        if (!lines.isEmpty()) {
          return lines.get(0);
        }
      }
      process.waitFor(50, TimeUnit.MILLISECONDS); // it has not written its port yet
    }
    throw new IOException("chromium does not start");
  }

  private static JsonObject parsed(String text) {
    try (JsonReader reader = Json.createReader(new StringReader(text))) {
      return reader.readObject();
    }
  }

  private JsonObject send(String method, JsonObjectBuilder parameters) throws Exception {
    int number = numbers.incrementAndGet();
    CompletableFuture<JsonObject> answer = new CompletableFuture<>();
    waiting.put(number, answer);
    socket.sendText(
        Json.createObjectBuilder()
            .add("id", number)
            .add("method", method)
            .add("params", parameters)
            .build()
            .toString(),
        true);
    return answer.get(20, TimeUnit.SECONDS);
  }

  /** Opens an address. */
  void open(String address) throws Exception {
    send("Page.navigate", Json.createObjectBuilder().add("url", address));
  }

  /** What an expression of JavaScript gives, as text; our pages' policy does not hold for it. */
  String evaluate(String expression) throws Exception {
    JsonObject answer =
        send(
            "Runtime.evaluate",
            Json.createObjectBuilder()
                .add("expression", "String(" + expression + ")")
                .add("returnByValue", true));
    JsonObject result = answer.getJsonObject("result");
    return result == null ? "" : result.getJsonObject("result").getString("value", "");
  }

  /** Waits until the page has a text. */
  String await(String text) throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    String seen = "";
    while (System.nanoTime() < deadline) {
      seen = evaluate("document.body ? document.body.innerText : ''");
      if (seen.contains(text)) {
        return seen;
      }
      process.waitFor(50, TimeUnit.MILLISECONDS); // the page is loading
    }
    throw new AssertionError(
        "no " + text + " at " + evaluate("location.href.split('?')[0]") + ":\n" + seen);
  }

  /** Presses the button with a text, as a hand would. */
  void press(String button) throws Exception {
    evaluate(
        "Array.from(document.querySelectorAll('button')).find(b => b.innerText == '"
            + button
            + "').click()");
  }

  /** Writes into a field. */
  void type(String field, String text) throws Exception {
    evaluate("document.querySelector('input[name=" + field + "]').value = '" + text + "'");
  }

  private final class Ear implements WebSocket.Listener {
    private final StringBuilder message = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
      message.append(data);
      if (last) {
        JsonObject json = parsed(message.toString());
        message.setLength(0);
        CompletableFuture<JsonObject> asked = waiting.remove(json.getInt("id", 0));
        if (asked != null) {
          asked.complete(json);
        }
      }
      from.request(1);
      return CompletableFuture.completedStage(null);
    }
  }

  @Override
  public void close() {
    socket.abort();
    process.descendants().forEach(ProcessHandle::destroy);
    process.destroy();
    try {
      process.waitFor(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
