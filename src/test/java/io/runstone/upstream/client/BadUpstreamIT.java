package io.runstone.upstream.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.runstone.testing.Http;
import io.runstone.testing.Wars;
import io.runstone.upstream.client.ScriptedServer.Script;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.RunAsClient;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What Python code hears of servers that misbehave, while others use a good one. */
@ExtendWith(ArquillianExtension.class)
@RunAsClient
class BadUpstreamIT {
  private static final AtomicBoolean GOOD = new AtomicBoolean();
  private static final Map<String, ScriptedServer> SERVERS = new LinkedHashMap<>();

  /** What a server does, and what code is told then. */
  private record Trouble(String server, String exception, Script script) {}

  private static final List<Trouble> TROUBLES =
      List.of(
          new Trouble("refuses", "NotAllowed", (request, response) -> response.status(401)),
          new Trouble(
              "lacks_scope",
              "NotAllowed",
              (request, response) ->
                  response.status(
                      403, "WWW-Authenticate: Bearer error=\"insufficient_scope\", scope=\"x\"")),
          new Trouble("forgot", "UpstreamUnavailable", (request, response) -> response.status(404)),
          new Trouble("broken", "UpstreamUnavailable", (request, response) -> response.status(500)),
          new Trouble(
              "garbage",
              "UpstreamUnavailable",
              (request, response) -> response.whole(200, "application/json", "{\"jsonrpc\":")),
          new Trouble(
              "half",
              "UpstreamUnavailable",
              (request, response) -> {
                response.raw(
                    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                        + "Content-Length: 900\r\n\r\n{\"js");
                response.cut();
              }),
          new Trouble(
              "endless",
              "LimitReached",
              (request, response) -> {
                response.stream();
                String megabyte = "x".repeat(1 << 20);
                response.piece("data: ");
                for (int i = 0; i < 1024; i++) {
                  response.piece(megabyte);
                }
                response.endStream();
              }),
          new Trouble("silent", "Timeout", (request, response) -> response.awaitClose()),
          new Trouble("closes", "UpstreamUnavailable", (request, response) -> response.cut()));

  @ArquillianResource private URL base;

  @Deployment(testable = false)
  static WebArchive war() throws IOException {
    SERVERS.put("good", new ScriptedServer(McpScript.legacy()));
    for (Trouble trouble : TROUBLES) {
      McpScript script = McpScript.legacy();
      script.on(
          "tools/call",
          (request, response) -> {
            if (GOOD.get()) {
              response.result(request, McpScript.text("well again"));
            } else {
              trouble.script().answer(request, response);
            }
          });
      SERVERS.put(trouble.server(), new ScriptedServer(script));
    }
    String declared =
        SERVERS.entrySet().stream()
            .map(
                entry ->
                    "\"%s\":{\"url\":\"%s\"}".formatted(entry.getKey(), entry.getValue().url()))
            .collect(Collectors.joining(",", "{\"servers\":{", "}}"));
    Path file = Files.createTempFile("servers", ".json");
    Files.writeString(file, declared);
    return Wars.with(
        Map.of("runstone.upstream.file", file.toString(), "runstone.sessions.per-user", "20"));
  }

  @AfterAll
  static void end() {
    SERVERS.values().forEach(ScriptedServer::close);
  }

  private static final String CALL =
      """
      import time, upstream
      def attempt(name):
          began = time.monotonic()
          try:
              said = upstream[name].call("echo", {"text": "x"}, timeout=1)
          except Exception as e:
              said = type(e).__name__
          return "%s %s" % (said, "soon" if time.monotonic() - began < 2 else "late")
      """;

  private String attempt(Http http, String session, String server) throws Exception {
    return http.execute(session, "attempt('" + server + "')").getString("stdout").strip();
  }

  @Test
  void codeGetsTheRightExceptionSoonAndNobodyElseNotices() throws Exception {
    Http http = new Http(base.toURI(), Map.of());
    http.start("bad");
    http.start("good");
    http.execute("bad", CALL);
    http.execute("good", CALL);
    AtomicBoolean over = new AtomicBoolean();
    ExecutorService other = Executors.newSingleThreadExecutor();
    try {
      Callable<List<String>> neighbour =
          () -> {
            List<String> said = new ArrayList<>();
            while (!over.get()) {
              said.add(attempt(http, "good", "good"));
            }
            return said;
          };
      Future<List<String>> noticed = other.submit(neighbour);
      for (Trouble trouble : TROUBLES) {
        for (int i = 0; i < 2; i++) {
          assertThat(attempt(http, "bad", trouble.server()))
              .as(trouble.server())
              .isEqualTo("'" + trouble.exception() + " soon'");
        }
      }
      over.set(true);
      assertThat(noticed.get()).isNotEmpty().containsOnly("'x soon'");
      for (int i = 0; i < 10; i++) { // refusals never make it leave a server alone
        attempt(http, "bad", "refuses");
        attempt(http, "bad", "lacks_scope");
      }
      GOOD.set(true);
      for (Trouble trouble : TROUBLES) {
        assertThat(attempt(http, "bad", trouble.server()))
            .as(trouble.server())
            .isEqualTo("'well again soon'");
      }
    } finally {
      over.set(true);
      other.shutdown();
      http.stopAll();
    }
  }
}
