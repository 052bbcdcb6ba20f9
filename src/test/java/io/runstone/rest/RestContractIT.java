package io.runstone.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.runstone.testing.Http;
import io.runstone.testing.Wars;
import jakarta.json.JsonObject;
import jakarta.json.JsonValue;
import java.net.URL;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.RunAsClient;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The REST section of the contract, against the WAR as it is shipped. */
@ExtendWith(ArquillianExtension.class)
@RunAsClient
class RestContractIT {
  private static final String SESSION = "/v1/sessions/session";

  @ArquillianResource private URL base;
  private Http http;

  @Deployment(testable = false)
  static WebArchive war() {
    return Wars.built();
  }

  @BeforeEach
  void connect() throws Exception {
    http = new Http(base.toURI(), Map.of());
  }

  @AfterEach
  void stopAll() throws Exception {
    http.stopAll();
  }

  @Test
  void healthTellsTheSandboxThatTheRunIsFor() throws Exception {
    Http.Answer answer = http.send("GET", "/health", "");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.json().getString("status")).isEqualTo("ok");
    String expected = System.getProperty("runstone.test.sandbox", "");
    if (!expected.isEmpty()) {
      assertThat(answer.json().getString("sandbox")).isEqualTo(expected);
    }
  }

  @Test
  void runsCodeInACleanKernel() throws Exception {
    JsonObject result =
        http.execute("", "import sys\nprint('out')\nprint('err', file=sys.stderr)\n6 * 7");
    assertThat(result.getString("stdout")).isEqualTo("out\n42\n");
    assertThat(result.getString("stderr")).isEqualTo("err\n");
    assertThat(result.getString("status")).isEqualTo("ok");
    assertThat(result.get("error")).isEqualTo(JsonValue.NULL);
    assertThat(result.getString("session_state")).isEqualTo("none");
    assertThat(result.get("session_id")).isEqualTo(JsonValue.NULL);
    assertThat(result.getJsonNumber("execution_time").doubleValue()).isPositive();
    assertThat(result.getJsonArray("outputs")).hasSizeBetween(2, 3);
    assertThat(http.execute("", "out").getString("stderr")).contains("NameError");
  }

  @Test
  void silenceIsEmptyOverRest() throws Exception {
    assertThat(http.execute("", "x = 1").getString("stdout")).isEmpty();
  }

  @Test
  void commandIsAnotherNameForCode() throws Exception {
    Http.Answer answer = http.send("POST", "/execute", "{\"command\":\"print(3)\",\"new\":1}");
    assertThat(answer.json().getString("stdout")).isEqualTo("3\n");
  }

  @Test
  void aFailingCellIsAResult() throws Exception {
    http.start("fail");
    JsonObject result =
        http.execute(
            "fail",
            "import sys\nkept = 1\nprint('before')\nprint('warn', file=sys.stderr)\nraise ValueError('expected')");
    assertThat(result.getString("stderr"))
        .startsWith("Error: Execution Error:\nTraceback (most recent call last):")
        .contains("ValueError: expected")
        .endsWith("warn\n")
        .doesNotContain("\u001b");
    assertThat(result.getString("stdout")).isEqualTo("before\n");
    assertThat(result.getString("status")).isEqualTo("error");
    assertThat(result.getJsonObject("error").getString("ename")).isEqualTo("ValueError");
    assertThat(result.getString("session_state")).isEqualTo("preserved");
    assertThat(http.execute("fail", "kept").getString("stdout")).isEqualTo("1\n");
  }

  @Test
  void aTimeoutIsAResultThatTellsTheState() throws Exception {
    http.start("slow");
    http.execute("slow", "kept = 1");
    Http.Answer answer =
        http.send(
            "POST",
            "/execute",
            "{\"session_id\":\"slow\",\"code\":\"print('on')\\nwhile True: pass\",\"timeout\":0.3}");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.json().getString("status")).isEqualTo("timeout");
    assertThat(answer.json().getString("stdout")).isEqualTo("on\n");
    assertThat(answer.json().getString("session_state")).isEqualTo("preserved");
    assertThat(answer.json().getString("stderr")).startsWith("Error: Execution Error:\n");
    assertThat(http.execute("slow", "kept").getString("stdout")).isEqualTo("1\n");
  }

  @Test
  void codeIsNeverRunTwice() throws Exception {
    http.execute("", "open('/app/uploads/runs', 'w').close()");
    http.execute("", "open('/app/uploads/runs', 'a').write('x')\nraise ValueError");
    http.execute("", "open('/app/uploads/runs', 'a').write('x')\nimport os; os._exit(1)");
    assertThat(http.execute("", "open('/app/uploads/runs').read()").getString("stdout"))
        .isEqualTo("'xx'\n");
  }

  @Test
  void aSessionIsStartedShownListedAndStopped() throws Exception {
    Http.Answer started = http.send("POST", SESSION, "{\"session_id\":\"one\"}");
    assertThat(started.status()).isEqualTo(201);
    assertThat(started.json().getString("session_id")).isEqualTo("one");
    assertThat(started.json().getString("status")).isEqualTo("active");
    assertThat(Instant.parse(started.json().getString("created_at")))
        .isBefore(Instant.parse("2100-01-01T00:00:00Z"));
    Http.Answer shown = http.send("GET", SESSION + "?session_id=one", "");
    assertThat(shown.json()).isEqualTo(started.json());
    assertThat(http.send("GET", SESSION, "").json().getJsonArray("sessions"))
        .containsExactly(started.json());
    Http.Answer stopped = http.send("DELETE", SESSION + "?session_id=one", "");
    assertThat(stopped.status()).isEqualTo(200);
    assertThat(stopped.json().getString("status")).isEqualTo("stopped");
    assertThat(http.send("GET", SESSION + "?session_id=one", "").status()).isEqualTo(404);
    http.start("one");
    assertThat(http.send("DELETE", SESSION, "{\"session_id\":\"one\"}").status()).isEqualTo(200);
  }

  @Test
  void anIdIsGeneratedWhenNoneIsGiven() throws Exception {
    for (String body : List.of("", "{}", "{\"session_id\":null}")) {
      Http.Answer answer = http.send("POST", SESSION, body);
      assertThat(answer.status()).as(body).isEqualTo(201);
      assertThat(answer.json().getString("session_id")).matches("session_[0-9a-f]{12}");
    }
  }

  @Test
  void twentyStartsAtOnceGiveExactlyFive() throws Exception {
    List<CompletableFuture<Http.Answer>> starts =
        IntStream.range(0, 20).mapToObj(i -> http.sendLater("POST", SESSION, "{}")).toList();
    List<Integer> statuses = new ArrayList<>();
    for (CompletableFuture<Http.Answer> start : starts) {
      Http.Answer answer = start.get(60, TimeUnit.SECONDS);
      statuses.add(answer.status());
      if (answer.status() == 503) {
        assertThat(answer.header("Retry-After")).matches("[0-9]+");
        assertThat(answer.error()).contains("stop one");
      }
    }
    assertThat(statuses.stream().filter(s -> s == 201)).hasSize(5);
    assertThat(statuses.stream().filter(s -> s == 503)).hasSize(15);
  }

  @Test
  void aFullQueueIs429WithDetail() throws Exception {
    http.start("busy");
    List<CompletableFuture<Http.Answer>> answers =
        IntStream.range(0, 20)
            .mapToObj(
                i ->
                    http.sendLater(
                        "POST", "/execute", Http.order("busy", "import time; time.sleep(60)")))
            .toList();
    Http.Answer refused =
        (Http.Answer)
            CompletableFuture.anyOf(answers.toArray(CompletableFuture<?>[]::new))
                .get(30, TimeUnit.SECONDS);
    assertThat(refused.status()).isEqualTo(429);
    assertThat(refused.json().getString("detail")).isNotBlank();
    assertThat(refused.error()).isNotBlank();
    assertThat(http.send("DELETE", SESSION + "?session_id=busy", "").status()).isEqualTo(200);
    for (CompletableFuture<Http.Answer> answer : answers) {
      assertThat(answer.get(30, TimeUnit.SECONDS).status()).isIn(200, 404, 429);
    }
  }

  @Test
  void stopAndListDoNotWaitForARunningCell() throws Exception {
    http.start("busy");
    CompletableFuture<Http.Answer> running =
        http.sendLater("POST", "/execute", Http.order("busy", "import time; time.sleep(60)"));
    long start = System.nanoTime();
    assertThat(http.send("GET", SESSION, "").json().getJsonArray("sessions")).hasSize(1);
    assertThat(http.send("DELETE", SESSION + "?session_id=busy", "").status()).isEqualTo(200);
    assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(20));
    Http.Answer ended = running.get(20, TimeUnit.SECONDS);
    if (ended.status() == 200) {
      assertThat(ended.json().getString("status")).isEqualTo("kernel_died");
      assertThat(ended.json().getString("session_state")).isEqualTo("lost");
    } else {
      assertThat(ended.status()).isEqualTo(404);
    }
  }

  @Test
  void filesAreSharedByAllKernelsOfACaller() throws Exception {
    http.start("files");
    http.execute("files", "open('/app/uploads/shared', 'w').write('hello')");
    assertThat(http.execute("", "print(open('/app/uploads/shared').read())").getString("stdout"))
        .isEqualTo("hello\n");
  }

  @Test
  void richOutputHasItsBundleAndALink() throws Exception {
    String code =
        "class Rich:\n  def _repr_html_(self): return '<b>rich</b>'\n  def __repr__(self): return 'plain'\n"
            + "display(Rich())\nRich()";
    JsonObject result = http.execute("", code);
    assertThat(result.getString("stdout")).isEqualTo("plain\n");
    JsonObject shown = result.getJsonArray("outputs").getJsonObject(0);
    assertThat(shown.getString("output_type")).isEqualTo("display_data");
    assertThat(shown.getJsonObject("data").getString("text/html")).isEqualTo("<b>rich</b>");
    JsonObject link = result.getJsonArray("links").getJsonObject(1);
    Http.Answer fetched = http.send("GET", link.getString("url"), "");
    assertThat(fetched.status()).isEqualTo(200);
    assertThat(fetched.text()).isEqualTo("<b>rich</b>");
    assertThat(fetched.header("Content-Type")).startsWith("text/html");
    assertThat(fetched.header("Content-Security-Policy")).contains("sandbox");
  }

  @Test
  void interruptAndRestartAreThereToo() throws Exception {
    http.start("one");
    http.execute("one", "kept = 1");
    Http.Answer idle = http.send("POST", SESSION + "/interrupt", "{\"session_id\":\"one\"}");
    assertThat(idle.status()).isEqualTo(200);
    assertThat(idle.json().getBoolean("interrupted")).isFalse();
    assertThat(http.execute("one", "kept").getString("stdout")).isEqualTo("1\n");
    Http.Answer restarted = http.send("POST", SESSION + "/restart", "{\"session_id\":\"one\"}");
    assertThat(restarted.status()).isEqualTo(200);
    assertThat(http.execute("one", "kept").getString("stderr")).contains("NameError");
    for (String path : List.of("/interrupt", "/restart")) {
      assertThat(http.send("POST", SESSION + path, "{\"session_id\":\"no\"}").status())
          .isEqualTo(404);
      assertThat(http.send("POST", SESSION + path, "{}").status()).isEqualTo(400);
    }
  }
}
