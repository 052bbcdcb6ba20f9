package io.runstone.upstream.client;

import static io.runstone.upstream.client.ClientFixture.echo;
import static io.runstone.upstream.client.ClientFixture.failure;
import static io.runstone.upstream.client.ClientFixture.get;
import static io.runstone.upstream.client.ClientFixture.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.runstone.kernel.Cancellation;
import io.runstone.upstream.Authorizer;
import io.runstone.upstream.ServerName;
import io.runstone.upstream.UpstreamCall;
import io.runstone.upstream.UpstreamConnection;
import io.runstone.upstream.UpstreamException;
import io.runstone.upstream.UpstreamException.Kind;
import io.runstone.upstream.UpstreamResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls as they should go: streams, progress, many at once, and being called off. */
@Timeout(60)
class CallsTest {
  private final ClientFixture client = new ClientFixture();
  private final CountDownLatch end = new CountDownLatch(1);

  @AfterEach
  void close() {
    end.countDown();
    client.close();
  }

  private static UpstreamCall call(Cancellation cancellation, List<String> progress) {
    return new UpstreamCall(
        new ServerName("scripted"),
        "echo",
        Map.of("text", "x"),
        Optional.empty(),
        cancellation,
        progress::add);
  }

  private static Map<String, Object> progress(ScriptedServer.Request request, String message) {
    Map<String, Object> params = new HashMap<>();
    if (request.params().get("_meta") instanceof Map<?, ?> meta) {
      params.put("progressToken", meta.get("progressToken"));
    }
    params.put("progress", 1);
    params.put("message", message);
    return Map.of("jsonrpc", "2.0", "method", "notifications/progress", "params", params);
  }

  @Test
  void otherMessagesMayComeBeforeTheAnswer() throws Exception {
    McpScript script = McpScript.legacy();
    CountDownLatch answered = new CountDownLatch(3);
    List<ScriptedServer.Request> answers = new CopyOnWriteArrayList<>();
    script.on(
        "POST",
        (request, response) -> {
          answers.add(request);
          response.accepted();
          answered.countDown();
        });
    script.on(
        "tools/call",
        (request, response) -> {
          response.stream();
          response.piece(": hello\n\nid: 1\nretry: 10\ndata:\n\n");
          response.event(progress(request, "half\u0007way"));
          response.event(progress(request, "too soon"));
          response.event(Map.of("jsonrpc", "2.0", "method", "notifications/tools/list_changed"));
          response.event(Map.of("jsonrpc", "2.0", "id", 77, "method", "ping"));
          response.event(Map.of("jsonrpc", "2.0", "id", "s", "method", "sampling/createMessage"));
          response.event(Map.of("jsonrpc", "2.0", "id", 79, "method", "roots/list"));
          answered.await(5, TimeUnit.SECONDS);
          response.resultEvent(request, McpScript.text("done"));
          response.endStream();
        });
    try (ScriptedServer server = new ScriptedServer(script)) {
      UpstreamConnection connection = client.connect(server.url());
      List<String> progress = new CopyOnWriteArrayList<>();

      UpstreamResult result =
          get(connection.call(call(new Cancellation(), progress), Authorizer.NONE));

      assertThat(text(result)).isEqualTo("done");
      assertThat(result.bytes()).isBetween(50L, 200L);
      assertThat(progress).containsExactly("half way");
      assertThat(client.toolsChanged).hasValue(1);
      assertThat(answers)
          .extracting(ScriptedServer.Request::body)
          .anyMatch(body -> body.contains("77") && body.contains("\"result\":{}"))
          .anyMatch(body -> body.contains("\"s\"") && body.contains("-32601"))
          .anyMatch(body -> body.contains("79") && body.contains("-32601"));
    }
  }

  @Test
  void aStreamThatBrokeIsTakenUpAgain() throws Exception {
    McpScript script = McpScript.legacy();
    script.on(
        "tools/call",
        (request, response) -> {
          response.stream();
          response.piece("id: e-1\nretry: 10\ndata:\n\n");
          response.endStream();
        });
    try (ScriptedServer server = new ScriptedServer(script)) {
      script.on(
          "GET",
          (request, response) -> {
            response.stream();
            if (request.header("Last-Event-ID").equals("e-1")) {
              response.piece("id: e-2\ndata:\n\n");
              response.cut();
            } else {
              response.resultEvent(server.requests("tools/call").get(0), McpScript.text("done"));
              response.endStream();
            }
          });
      UpstreamConnection connection = client.connect(server.url());

      assertThat(text(get(echo(connection, "x")))).isEqualTo("done");
      assertThat(server.requests("tools/call")).hasSize(1);
      assertThat(server.requests("GET"))
          .extracting(request -> request.header("Last-Event-ID"))
          .containsExactly("e-1", "e-2");

      script.on("GET", (request, response) -> response.cut());
      UpstreamException failure = failure(echo(connection, "x"));
      assertThat(failure.kind()).isEqualTo(Kind.UNAVAILABLE);
      assertThat(failure.isTransport()).isTrue();
      assertThat(server.requests("tools/call")).hasSize(2);
    }
  }

  @Test
  void aLegacyServerIsToldOfACancelledCall() throws Exception {
    McpScript script = McpScript.legacy();
    CountDownLatch called = new CountDownLatch(1);
    CountDownLatch cancelled = new CountDownLatch(1);
    CountDownLatch closed = new CountDownLatch(1);
    script.on(
        "tools/call",
        (request, response) -> {
          called.countDown();
          response.stream();
          response.awaitClose();
          closed.countDown();
        });
    script.on(
        "notifications/cancelled",
        (request, response) -> {
          response.accepted();
          cancelled.countDown();
        });
    try (ScriptedServer server = new ScriptedServer(script)) {
      UpstreamConnection connection = client.connect(server.url());
      Cancellation cancellation = new Cancellation();
      CompletionStage<UpstreamResult> call =
          connection.call(call(cancellation, new ArrayList<>()), Authorizer.NONE);
      assertThat(called.await(5, TimeUnit.SECONDS)).isTrue();

      cancellation.cancel(", for nobody waits");

      assertThat(failure(call))
          .hasMessage("the call was cancelled, for nobody waits")
          .extracting(UpstreamException::kind)
          .isEqualTo(Kind.CANCELLED);
      assertThat(cancelled.await(5, TimeUnit.SECONDS)).isTrue();
      assertThat(closed.await(5, TimeUnit.SECONDS)).isTrue();
      assertThat(server.requests("notifications/cancelled").get(0).params().get("requestId"))
          .isEqualTo(server.requests("tools/call").get(0).id());
    }
  }

  @Test
  void aModernServerSeesTheStreamClosed() throws Exception {
    McpScript script = McpScript.modern();
    CountDownLatch called = new CountDownLatch(2);
    CountDownLatch closed = new CountDownLatch(2);
    script.on(
        "tools/call",
        (request, response) -> {
          called.countDown();
          if (closed.getCount() == 2) {
            response.stream();
          } // and the other time not even the head of the answer is there
          response.awaitClose();
          closed.countDown();
        });
    try (ScriptedServer server = new ScriptedServer(script)) {
      UpstreamConnection connection = client.connect(server.url());
      for (int i = 2; i > 0; i--) {
        Cancellation cancellation = new Cancellation();
        CompletionStage<UpstreamResult> call =
            connection.call(call(cancellation, new ArrayList<>()), Authorizer.NONE);
        while (called.getCount() >= i) {
          Thread.onSpinWait();
        }
        cancellation.cancel("");
        assertThat(failure(call).kind()).isEqualTo(Kind.CANCELLED);
        while (closed.getCount() >= i) {
          Thread.onSpinWait();
        }
      }
      assertThat(server.requests("notifications/cancelled")).isEmpty();
    }
  }

  @Test
  void aCallThatIsNotWantedBeforeItBeginsIsOver() throws Exception {
    try (ScriptedServer server = new ScriptedServer(McpScript.modern())) {
      UpstreamConnection connection = client.connect(server.url());
      Cancellation cancellation = new Cancellation();
      cancellation.cancel("");

      assertThat(
              failure(connection.call(call(cancellation, new ArrayList<>()), Authorizer.NONE))
                  .kind())
          .isEqualTo(Kind.CANCELLED);
    }
  }

  @Test
  void closingEndsCallsAndTheSession() throws Exception {
    McpScript script = McpScript.legacy();
    CountDownLatch called = new CountDownLatch(1);
    script.on(
        "tools/call",
        (request, response) -> {
          called.countDown();
          end.await();
        });
    script.on("DELETE", (request, response) -> response.status(405));
    try (ScriptedServer server = new ScriptedServer(script)) {
      UpstreamConnection connection = client.connect(server.url());
      CompletionStage<UpstreamResult> call = echo(connection, "x");
      assertThat(called.await(5, TimeUnit.SECONDS)).isTrue();

      get(connection.close(Authorizer.NONE));

      assertThat(failure(call).kind()).isEqualTo(Kind.CANCELLED);
      assertThat(server.requests("DELETE")).hasSize(1);
      assertThat(failure(connection.listTools(Authorizer.NONE)).kind())
          .isEqualTo(Kind.SESSION_LOST);
    }
  }

  @Test
  void fiftyCallsAtOnceGetTheirOwnAnswers() throws Exception {
    for (McpScript script : List.of(McpScript.modern(), McpScript.legacy())) {
      CyclicBarrier together = new CyclicBarrier(50);
      script.on(
          "tools/call",
          (request, response) -> {
            try {
              together.await(10, TimeUnit.SECONDS);
            } catch (BrokenBarrierException | TimeoutException e) {
              response.cut();
              return;
            }
            String text = McpScript.argument(request, "text");
            if (text.hashCode() % 2 == 0) {
              response.result(request, McpScript.text(text));
            } else {
              response.stream();
              response.event(progress(request, text));
              response.resultEvent(request, McpScript.text(text));
              response.endStream();
            }
          });
      try (ScriptedServer server = new ScriptedServer(script)) {
        UpstreamConnection connection = client.connect(server.url());
        for (int round = 0; round < 3; round++) {
          Map<String, CompletionStage<UpstreamResult>> calls = new HashMap<>();
          for (int i = 0; i < 50; i++) {
            calls.put(round + "-" + i, echo(connection, round + "-" + i));
          }
          for (Map.Entry<String, CompletionStage<UpstreamResult>> one : calls.entrySet()) {
            assertThat(text(get(one.getValue()))).isEqualTo(one.getKey());
          }
        }
      }
    }
  }
}
