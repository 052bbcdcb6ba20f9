package io.runstone.session;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.runstone.kernel.ExecutionResult;
import io.runstone.kernel.ExecutionText;
import io.runstone.kernel.Outcome;
import io.runstone.kernel.OutputListener;
import io.runstone.kernel.SessionState;
import io.runstone.security.Requester;
import io.runstone.security.UserId;
import io.runstone.testing.Http;
import io.runstone.testing.Wars;
import jakarta.ejb.EJB;
import java.net.URL;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.RunAsClient;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;

/** The EJB in its container, on real kernels. */
@ExtendWith(ArquillianExtension.class)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SessionManagerIT {
  private static final UserId USER = new UserId("in-container");
  private static final int KERNELS = 64;

  @EJB private SessionManager manager;
  @ArquillianResource private URL base;

  @Deployment
  static WebArchive war() {
    return Wars.with(SessionManagerIT.class, Http.class, Http.Answer.class);
  }

  private static <T> T get(CompletionStage<T> stage) throws Exception {
    return stage.toCompletableFuture().get(60, SECONDS);
  }

  private CompletionStage<ExecutionResult> execute(SessionId id, String code) {
    ExecutionOrder order =
        new ExecutionOrder(new ExecutionTarget.Named(id), code, Optional.empty());
    return manager.execute(Requester.of(USER), order, OutputListener.NONE);
  }

  @Test
  @Order(1)
  void sessionsRunCodeAndStop() throws Exception {
    SessionId id = new SessionId("one");
    get(manager.start(Requester.of(USER), Optional.of(id)));
    get(execute(id, "x = 41"));
    ExecutionResult result = get(execute(id, "x + 1"));
    assertThat(ExecutionText.stdout(result)).isEqualTo("42\n");
    long pid = manager.find(USER, id).orElseThrow().pid().orElseThrow();
    assertThat(ProcessHandle.of(pid)).isPresent();
    get(manager.stop(Requester.of(USER), id));
    assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
  }

  @Test
  @Order(2)
  void anInterruptReachesTheCellAndKeepsTheSession() throws Exception {
    SessionId id = new SessionId("two");
    get(manager.start(Requester.of(USER), Optional.of(id)));
    CountDownLatch printed = new CountDownLatch(1);
    ExecutionOrder order =
        new ExecutionOrder(
            new ExecutionTarget.Named(id),
            "kept = 1\nprint('go', flush=True)\nimport time; time.sleep(60)",
            Optional.of(Duration.ofSeconds(50)));
    CompletionStage<ExecutionResult> running =
        manager.execute(Requester.of(USER), order, output -> printed.countDown());
    assertThat(printed.await(30, SECONDS)).isTrue();
    assertThat(manager.interrupt(new SessionKey.Named(USER, id))).isTrue();
    ExecutionResult result = get(running);
    assertThat(result.outcome()).isEqualTo(new Outcome.Interrupted());
    assertThat(result.state()).isEqualTo(SessionState.PRESERVED);
    assertThat(ExecutionText.stdout(get(execute(id, "kept")))).isEqualTo("1\n");
    get(manager.stop(Requester.of(USER), id));
  }

  @Test
  @Order(3)
  void limitsCanBeRaised() {
    SessionLimits now = manager.limits();
    manager.setLimits(
        new SessionLimits(KERNELS, KERNELS + 10, now.idleTimeout(), now.maxLifetime()));
    assertThat(manager.limits().perUser()).isEqualTo(KERNELS);
  }

  /** 64 calls run at once with 16 container threads, and health answers meanwhile. */
  @Test
  @Order(4)
  @RunAsClient
  void noContainerThreadWaitsForPython() throws Exception {
    Http http = new Http(base.toURI(), Map.of());
    for (int i = 0; i < KERNELS; i++) {
      http.start("k" + i);
    }
    String code =
        """
        import os, time
        open('/app/uploads/running-%d', 'w').close()
        end = time.time() + 40
        while not os.path.exists('/app/uploads/release') and time.time() < end: time.sleep(0.05)
        print('done')""";
    List<CompletableFuture<Http.Answer>> calls =
        IntStream.range(0, KERNELS)
            .mapToObj(
                i -> http.sendLater("POST", "/execute", Http.order("k" + i, code.formatted(i))))
            .toList();
    String count =
        "import os; len([f for f in os.listdir('/app/uploads') if f.startswith('running-')])";
    String running = "";
    for (int i = 0; i < 100 && !running.equals(KERNELS + "\n"); i++) {
      running = http.execute("", count).getString("stdout");
    }
    assertThat(running).isEqualTo(KERNELS + "\n");
    List<Long> millis = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      long start = System.nanoTime();
      assertThat(http.send("GET", "/health", "").status()).isEqualTo(200);
      millis.add((System.nanoTime() - start) / 1_000_000);
    }
    System.out.println("health while " + KERNELS + " cells ran, ms: " + millis);
    assertThat(calls).noneMatch(CompletableFuture::isDone);
    http.execute("", "open('/app/uploads/release', 'w').close()");
    for (CompletableFuture<Http.Answer> call : calls) {
      assertThat(call.get(60, SECONDS).json().getString("stdout")).isEqualTo("done\n");
    }
    http.stopAll();
    millis.sort(null);
    assertThat(millis.get(millis.size() / 2)).isLessThan(1000);
  }
}
