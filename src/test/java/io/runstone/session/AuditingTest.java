package io.runstone.session;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.runstone.concurrent.Threads;
import io.runstone.config.TestSettings;
import io.runstone.kernel.ExecutionResult;
import io.runstone.kernel.Outcome;
import io.runstone.kernel.OutputListener;
import io.runstone.sandbox.SandboxHost;
import io.runstone.security.Requester;
import io.runstone.security.Sha256;
import io.runstone.security.UserId;
import io.runstone.security.audit.AuditEvent;
import io.runstone.security.audit.AuditLog;
import io.runstone.security.audit.AuditState;
import io.runstone.workspace.Workspaces;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the audit says about sessions, and that nothing runs unaudited. */
class AuditingTest {
  private static final SessionId ALPHA = new SessionId("alpha");
  private static final Requester ANNA =
      new Requester(new UserId("anna"), Set.of(), "agent", "192.0.2.1");

  @TempDir Path data;
  private final FakeEngine engine = new FakeEngine();
  private final Log log = new Log();
  private SessionManagers.Opened opened;
  private SessionManager manager;

  /** A log in memory, whose disk can be slow or broken. */
  private static final class Log implements AuditLog {
    final List<AuditEvent> events = new CopyOnWriteArrayList<>();
    volatile CompletableFuture<Void> disk = CompletableFuture.completedFuture(null);
    volatile AuditState state = AuditState.OK;

    @Override
    public void record(AuditEvent event) {
      events.add(event);
    }

    @Override
    public CompletionStage<Void> recordBefore(AuditEvent event) {
      events.add(event);
      return disk;
    }

    @Override
    public void recordEnd(AuditEvent event) {
      events.add(event);
    }

    @Override
    public AuditState state() {
      return state;
    }

    @Override
    public void close() {
      state = AuditState.OFF;
    }
  }

  @BeforeEach
  void open() throws Exception {
    open(new TestSettings(data));
    get(manager.start(ANNA, Optional.of(ALPHA)));
    log.events.clear();
  }

  private void open(TestSettings settings) throws IOException {
    opened =
        SessionManagers.open(
            settings.with("runstone.sessions.queue-length", "1").read(),
            new Threads(Thread::new),
            engine,
            new Workspaces(data, SandboxHost.of("", 60_800, 60_800, data)),
            log);
    manager = opened.manager();
  }

  @AfterEach
  void close() {
    opened.close();
  }

  private static <T> T get(CompletionStage<T> stage) throws Exception {
    return stage.toCompletableFuture().get(10, SECONDS);
  }

  private CompletionStage<ExecutionResult> execute(ExecutionTarget target, String code) {
    return manager.execute(
        ANNA, new ExecutionOrder(target, code, Optional.empty()), OutputListener.NONE);
  }

  private CompletionStage<ExecutionResult> execute(String code) {
    return execute(new ExecutionTarget.Named(ALPHA), code);
  }

  private static void assertRefused(CompletionStage<?> stage, String why) {
    assertThatThrownBy(() -> get(stage))
        .hasCauseInstanceOf(SessionException.class)
        .hasMessageContaining(why);
  }

  private List<String> lines() {
    return log.events.stream()
        .map(
            event ->
                event.action()
                    + " "
                    + event.subject().session()
                    + " "
                    + event.result().outcome()
                    + " "
                    + event.result().reason())
        .map(String::strip)
        .toList();
  }

  @Test
  void anExecutionHasALineBeforeAndALineAfter() throws Exception {
    ExecutionResult result = get(execute("1 + 1"));
    assertThat(lines()).containsExactly("EXECUTE alpha accepted", "EXECUTE alpha ok");
    assertThat(log.events)
        .allSatisfy(
            event -> {
              assertThat(event.requester()).contains(ANNA);
              assertThat(event.subject().execution()).isEqualTo(result.id().value());
              assertThat(event.subject().codeSha256()).isEqualTo(Sha256.hex("1 + 1"));
            });
    assertThat(log.events.get(0).result().milliseconds()).isEmpty();
    assertThat(log.events.get(1).result().milliseconds()).hasValue(0);
    assertThat(log.events.get(1).result().bytes()).hasValue(0);
  }

  @Test
  void nothingIsGivenToPythonBeforeTheLineIsWritten() throws Exception {
    log.disk = new CompletableFuture<>();
    CompletionStage<ExecutionResult> execution = execute("1");
    assertThat(lines()).containsExactly("EXECUTE alpha accepted");
    FakeEngine.FakeKernel kernel = engine.kernels.get(0);
    assertThat(kernel.ran).isEmpty();
    log.disk.complete(null);
    get(execution);
    assertThat(kernel.ran).containsExactly("1");
  }

  @Test
  void whatCantBeWrittenIsNotRun() throws Exception {
    log.disk = CompletableFuture.failedFuture(new IOException("full"));
    assertRefused(execute("1"), "runstone.audit.required");
    assertThat(engine.kernels.get(0).ran).isEmpty();
    assertThat(lines())
        .containsExactly("EXECUTE alpha accepted", "EXECUTE alpha refused unavailable");
    log.disk = CompletableFuture.completedFuture(null);
    assertThat(get(execute("2")).outcome()).isEqualTo(new Outcome.Ok());
  }

  @Test
  void whileTheLogFailsNothingStartsButSessionsCanBeEnded() throws Exception {
    log.state = AuditState.FAILING;
    assertThat(manager.isRefusingUnaudited()).isTrue();
    assertRefused(execute("1"), "audit log");
    assertRefused(execute(new ExecutionTarget.OneShot(), "1"), "audit log");
    assertRefused(manager.start(ANNA, Optional.empty()), "audit log");
    assertRefused(manager.restart(ANNA, ALPHA), "audit log");
    assertThat(engine.launches).hasValue(1);
    assertThat(manager.interrupt(ANNA, ALPHA)).isFalse();
    get(manager.stop(ANNA, ALPHA));
    assertThat(lines()).hasSize(6).contains("STOP alpha ok requested");
  }

  @Test
  void anAuditThatIsNotRequiredStopsNothing() throws Exception {
    opened.close();
    open(new TestSettings(data).with("runstone.audit.required", "false"));
    log.state = AuditState.FAILING;
    log.disk = CompletableFuture.failedFuture(new IOException("full"));
    assertThat(get(execute(new ExecutionTarget.OneShot(), "1")).outcome())
        .isEqualTo(new Outcome.Ok());
    assertThat(manager.isRefusingUnaudited()).isFalse();
    assertThat(manager.auditState()).isEqualTo(AuditState.FAILING);
  }

  @Test
  void aRefusalIsOneLine() throws Exception {
    assertRefused(execute(new ExecutionTarget.Named(new SessionId("absent")), "1"), "no session");
    assertRefused(execute(" "), "no code");
    CompletionStage<ExecutionResult> running = execute("wait");
    assertThat(engine.kernels.get(0).running.await(10, SECONDS)).isTrue();
    CompletionStage<ExecutionResult> waiting = execute("2");
    assertRefused(execute("3"), "too many executions");
    get(manager.suspend(Optional.empty(), Duration.ZERO));
    get(running);
    assertThat(get(waiting).outcome()).isInstanceOf(Outcome.Rejected.class);
    assertRefused(execute("4"), "drained");
    assertThat(lines())
        .startsWith(
            "EXECUTE absent refused unknown",
            "EXECUTE alpha refused bad_request",
            "EXECUTE alpha accepted",
            "EXECUTE alpha accepted",
            "EXECUTE alpha refused queue_full")
        .endsWith("EXECUTE alpha refused unavailable")
        .contains("DRAIN  suspended", "EXECUTE alpha rejected", "EXECUTE alpha interrupted")
        .hasSize(9);
  }

  @Test
  void sessionsAreTracedFromStartToEnd() throws Exception {
    SessionId beta = new SessionId("beta");
    get(manager.start(ANNA, Optional.of(beta)));
    assertRefused(manager.start(ANNA, Optional.of(beta)), "exists");
    get(manager.restart(ANNA, beta));
    assertThat(manager.interrupt(ANNA, beta)).isFalse();
    assertThatThrownBy(() -> manager.interrupt(ANNA, new SessionId("absent")))
        .isInstanceOf(SessionException.class);
    assertRefused(manager.stop(ANNA, new SessionId("absent")), "no session");
    get(manager.stop(new SessionKey.Named(ANNA.user(), beta), StopReason.ADMINISTRATOR));
    opened.close();
    assertThat(lines())
        .containsExactly(
            "START beta ok",
            "START beta refused taken",
            "RESTART beta ok",
            "INTERRUPT beta nothing_ran",
            "INTERRUPT absent refused unknown",
            "STOP absent refused unknown",
            "STOP beta ok administrator",
            "STOP alpha ok shutdown");
    assertThat(log.state).as("closed").isEqualTo(AuditState.OFF);
  }

  @Test
  void ofAnMcpSessionsIdOnlyADigestIsTold() throws Exception {
    get(execute(new ExecutionTarget.Implicit("secret"), "1"));
    get(manager.stop(new SessionKey.Implicit(ANNA.user(), "secret"), StopReason.REQUESTED));
    assertRefused(
        manager.stop(new SessionKey.Implicit(ANNA.user(), "other"), StopReason.REQUESTED), "no");
    String shown = "mcp:" + Sha256.hex("secret").substring(0, 12);
    assertThat(lines())
        .containsExactly(
            "EXECUTE " + shown + " accepted",
            "EXECUTE " + shown + " ok",
            "STOP " + shown + " ok requested");
  }

  @Test
  void aKernelForOneExecutionHasNoLinesOfItsOwn() throws Exception {
    get(execute(new ExecutionTarget.OneShot(), "1"));
    assertThat(lines()).hasSize(2).allMatch(line -> line.startsWith("EXECUTE once:"));
  }
}
