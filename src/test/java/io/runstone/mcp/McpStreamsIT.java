package io.runstone.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.runstone.testing.Events;
import io.runstone.testing.Http;
import io.runstone.testing.McpClient;
import io.runstone.testing.ModernClient;
import io.runstone.testing.Wars;
import jakarta.json.Json;
import jakarta.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.container.annotation.ArquillianTest;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of calls whose clients cancel, go away and come back, and of those who listen. */
@ArquillianTest
@Timeout(60)
class McpStreamsIT {
  private static final String LONG =
      "open('/app/uploads/on', 'w').close()\nimport time\nfor i in range(600): time.sleep(0.1)";
  private static final Duration TWO_SECONDS = Duration.ofSeconds(2);

  @ArquillianResource private URL base;
  private Http http;
  private McpClient client;

  @Deployment(testable = false)
  static WebArchive war() {
    return Wars.built();
  }

  @BeforeEach
  void connect() throws Exception {
    http = new Http(base.toURI(), Map.of());
    client = McpClient.open(http);
    http.start("alpha");
    http.execute("alpha", "kept = 1");
  }

  @AfterEach
  void disconnect() throws Exception {
    client.delete();
    http.stopAll();
    http.execute("", "import os, shutil\nfor name in os.listdir('.'): os.remove(name)");
  }

  /** Waits until the long cell runs. */
  private void awaitRunning() throws Exception {
    while (!http.execute("", "import os; print(os.path.exists('on'))")
        .getString("stdout")
        .equals("True\n")) {
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  /** The session answers again soon, and has its variables. */
  private void assertFreeSoon(String what) throws Exception {
    long start = System.nanoTime();
    assertThat(http.execute("alpha", "kept").getString("stdout")).isEqualTo("1\n");
    Duration took = Duration.ofNanos(System.nanoTime() - start);
    System.out.println(what + ": the session was free after " + took.toMillis() + " ms");
    assertThat(took).isLessThan(TWO_SECONDS.plusMillis(500));
    http.execute("alpha", "import os; os.remove('on')");
  }

  private InputStream post(String session, String body) throws Exception {
    return http.client()
        .send(
            http.request(
                "POST", "/mcp", body, "Accept", McpClient.ACCEPT, "Mcp-Session-Id", session),
            HttpResponse.BodyHandlers.ofInputStream())
        .body();
  }

  private InputStream get(String session, String... more) throws Exception {
    String[] headers = {"Accept", "text/event-stream", "Mcp-Session-Id", session};
    String[] all = Stream.of(headers, more).flatMap(Stream::of).toArray(String[]::new);
    HttpResponse<InputStream> response =
        http.client()
            .send(http.request("GET", "/mcp", "", all), HttpResponse.BodyHandlers.ofInputStream());
    assertThat(response.statusCode()).isEqualTo(200);
    return response.body();
  }

  private String newest() throws Exception {
    return http.send("POST", "/mcp", McpClient.initialize("2025-11-25"), "Accept", McpClient.ACCEPT)
        .header("mcp-session-id");
  }

  @Test
  void aCancelledCallIsInterruptedAndNotAnswered() throws Exception {
    try (Events events =
        new Events(post(client.session(), McpClient.execution(42, "alpha", LONG)))) {
      awaitRunning();
      Http.Answer accepted =
          client.post(
              "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\","
                  + "\"params\":{\"requestId\":42,\"reason\":\"test\"}}");
      assertThat(accepted.status()).isEqualTo(202);
      assertFreeSoon("cancelled");
      assertThat(events.next()).isEmpty();
    }
  }

  @Test
  void aCallThatWaitsIsCancelledBeforeItRuns() throws Exception {
    CompletableFuture<Http.Answer> first =
        http.sendLater("POST", "/execute", Http.order("alpha", LONG));
    awaitRunning();
    Events events =
        new Events(post(client.session(), McpClient.execution(43, "alpha", "open('never', 'w')")));
    events.close();
    TimeUnit.SECONDS.sleep(2); // a connection that is gone is noticed by the second write
    http.send("POST", "/v1/sessions/session/interrupt?session_id=alpha", "");
    first.get(10, TimeUnit.SECONDS);
    assertThat(http.execute("alpha", "import os; os.path.exists('never')").getString("stdout"))
        .isEqualTo("False\n");
  }

  @Test
  void closingTheStreamInterruptsTheCellInEveryEra() throws Exception {
    Events legacy = new Events(post(client.session(), McpClient.execution(1, "alpha", LONG)));
    awaitRunning();
    legacy.close();
    assertFreeSoon("stream of 2025-06-18 closed");
    Events newest = new Events(post(newest(), McpClient.execution(1, "alpha", LONG)));
    awaitRunning();
    newest.close();
    assertFreeSoon("stream of 2025-11-25 closed");
    Events modern =
        new Events(
            new ModernClient(http).open("tools/call", ModernClient.execution("alpha", LONG)));
    awaitRunning();
    modern.close();
    assertFreeSoon("stream of 2026-07-28 closed");
    InputStream rest =
        http.client()
            .send(
                http.request("POST", "/execute", Http.order("alpha", LONG)),
                HttpResponse.BodyHandlers.ofInputStream())
            .body(); // begins after five seconds
    assertThat(rest.read()).isEqualTo(' ');
    rest.close();
    assertFreeSoon("connection of /execute closed");
  }

  @Test
  void aClientThatComesBackGetsTheResult() throws Exception {
    String session = newest();
    String code = "import time; print('begun', flush=True); time.sleep(1.5); print('done')";
    Events first = new Events(post(session, McpClient.execution(7, "alpha", code)));
    Events.Event primed = first.next().orElseThrow();
    assertThat(primed.data()).isEmpty();
    assertThat(primed.id()).isNotEmpty();
    first.close();
    try (Events resumed = new Events(get(session, "Last-Event-ID", primed.id()))) {
      JsonObject response = resumed.message();
      assertThat(response.getInt("id")).isEqualTo(7);
      assertThat(McpClient.text(response.getJsonObject("result"))).isEqualTo("begun\ndone\n");
      assertThat(resumed.next()).isEmpty();
    }
    // Later still, as long as it is kept.
    try (Events again = new Events(get(session, "Last-Event-ID", primed.id()))) {
      assertThat(again.message().getInt("id")).isEqualTo(7);
      assertThat(again.next()).isEmpty();
    }
    Http.Answer unknown =
        http.send(
            "GET",
            "/mcp",
            "",
            "Accept",
            "text/event-stream",
            "Mcp-Session-Id",
            session,
            "Last-Event-ID",
            "77-1");
    assertThat(unknown.status()).isEqualTo(400);
    assertThat(unknown.text()).contains("Last-Event-ID");
  }

  @Test
  void aQuietCellTellsTheElapsedTime() throws Exception {
    List<JsonObject> messages =
        client.toolWithProgress(
            "execute_python_code",
            McpClient.order("alpha", "import time; time.sleep(6)"),
            message -> {});
    JsonObject progress = messages.get(0).getJsonObject("params");
    assertThat(progress.getString("message")).isEqualTo("running for 5 s");
    assertThat(progress.getJsonNumber("progress").doubleValue()).isBetween(5.0, 6.0);
  }

  @Test
  void ofSeveralListenersOneHearsOfEachChange() throws Exception {
    client.execute("alpha", "open('watched.txt', 'w').write('1')");
    JsonObject uri = McpClient.args("uri", "runstone://files/watched.txt");
    assertThat(client.call("resources/subscribe", uri)).containsKey("result");
    assertThat(
            client
                .call("resources/subscribe", McpClient.args("uri", "runstone://files/none"))
                .getJsonObject("error")
                .getInt("code"))
        .isEqualTo(-32002);
    Events older = new Events(get(client.session()));
    Events newer = new Events(get(client.session()));
    TimeUnit.SECONDS.sleep(3); // the first look at the files
    client.execute("alpha", "open('watched.txt', 'w').write('two')");
    JsonObject updated = newer.message();
    assertThat(updated.getString("method")).isEqualTo("notifications/resources/updated");
    assertThat(updated.getJsonObject("params").getString("uri"))
        .isEqualTo("runstone://files/watched.txt");
    newer.close();
    CompletableFuture<JsonObject> heard = CompletableFuture.supplyAsync(() -> message(older));
    for (int i = 0; i < 15 && !heard.isDone(); i++) { // some heartbeats find out that it is gone
      client.execute("alpha", "open('another%d.txt', 'w').write('1')".formatted(i));
      TimeUnit.SECONDS.sleep(2);
    }
    assertThat(heard.get(1, TimeUnit.SECONDS).getString("method"))
        .isEqualTo("notifications/resources/list_changed");
    older.close();
  }

  private static JsonObject message(Events events) {
    try {
      return events.message();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void filesAreResourcesAndWhatIsNoFileIsNone() throws Exception {
    client.execute(
        "alpha",
        """
        import os
        for i in range(120): open(f'f{i:03}.csv', 'w').write(f'{i}')
        os.makedirs('sub dir/deep', exist_ok=True)
        open('sub dir/deep/ü.txt', 'w').write('grüße')
        open('raw.bin', 'wb').write(bytes(range(256)))
        os.symlink('/etc/passwd', 'link'); os.symlink('/etc', 'dirlink'); os.mkfifo('fifo')
        open('new\\nline', 'w').write('x')""");
    JsonObject first = client.call("resources/list", JsonObject.EMPTY_JSON_OBJECT);
    List<JsonObject> page = resources(first);
    assertThat(page).hasSize(100);
    String cursor = first.getJsonObject("result").getString("nextCursor");
    List<JsonObject> rest =
        resources(client.call("resources/list", McpClient.args("cursor", cursor)));
    List<String> uris =
        Stream.concat(page.stream(), rest.stream())
            .map(resource -> resource.getString("uri"))
            .toList();
    assertThat(uris)
        .doesNotHaveDuplicates()
        .contains(
            "runstone://sessions",
            "runstone://files/f000.csv",
            "runstone://files/f119.csv",
            "runstone://files/raw.bin",
            "runstone://files/sub%20dir/deep/%C3%BC.txt")
        .noneMatch(uri -> uri.contains("link") || uri.contains("fifo") || uri.contains("new"));
    assertThat(read("runstone://files/sub%20dir/deep/%C3%BC.txt").getString("text"))
        .isEqualTo("grüße");
    assertThat(read("runstone://files/f119.csv").getString("mimeType")).isEqualTo("text/csv");
    assertThat(read("runstone://files/raw.bin").getString("blob")).startsWith("AAECAw");
    assertThat(read("runstone://sessions").getString("text")).contains("\"alpha\"");
    for (String bad :
        List.of(
            "link",
            "dirlink/passwd",
            "fifo",
            "../x",
            "%2e%2e/x",
            "sub%20dir/../raw.bin",
            "/etc/passwd",
            "raw.bin%00",
            "",
            "sub%20dir",
            "%zz")) {
      JsonObject answer =
          client.call("resources/read", McpClient.args("uri", "runstone://files/" + bad));
      assertThat(answer.getJsonObject("error").getInt("code")).as(bad).isEqualTo(-32002);
    }
    assertThat(
            client
                .call("resources/list", McpClient.args("cursor", "nonsense"))
                .getJsonObject("error")
                .getInt("code"))
        .isEqualTo(-32602);
    client.execute("alpha", "import shutil; shutil.rmtree('sub dir')");
  }

  private static List<JsonObject> resources(JsonObject answer) {
    return answer.getJsonObject("result").getJsonArray("resources").getValuesAs(JsonObject.class);
  }

  private JsonObject read(String uri) throws Exception {
    return client
        .call("resources/read", Json.createObjectBuilder().add("uri", uri).build())
        .getJsonObject("result")
        .getJsonArray("contents")
        .getJsonObject(0);
  }
}
