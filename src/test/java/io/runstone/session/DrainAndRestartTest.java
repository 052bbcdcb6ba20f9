package io.runstone.session;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.runstone.concurrent.Threads;
import io.runstone.config.TestSettings;
import io.runstone.kernel.ExecutionResult;
import io.runstone.kernel.Outcome;
import io.runstone.kernel.OutputListener;
import io.runstone.kernel.SessionState;
import io.runstone.sandbox.SandboxHost;
import io.runstone.security.Requester;
import io.runstone.security.UserId;
import io.runstone.workspace.Workspaces;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What ends, or begins anew, under work that is on its way. */
class DrainAndRestartTest {
  private static final UserId ANNA = new UserId("anna");
  private static final SessionId ALPHA = new SessionId("alpha");

  @TempDir Path data;
  private final FakeEngine engine = new FakeEngine();
  private SessionManagers.Opened opened;
  private SessionManager manager;

  @BeforeEach
  void open() throws Exception {
    opened =
        SessionManagers.open(
            new TestSettings(data).read(),
            new Threads(Thread::new),
            engine,
            new Workspaces(data, SandboxHost.of("", 60_800, 60_800, data)));
    manager = opened.manager();
    get(manager.start(Requester.of(ANNA), Optional.of(ALPHA)));
  }

  @AfterEach
  void close() {
    opened.close();
  }

  private static <T> T get(CompletionStage<T> stage) throws Exception {
    return stage.toCompletableFuture().get(10, SECONDS);
  }

  private CompletionStage<ExecutionResult> execute(String code) {
    return manager.execute(
        Requester.of(ANNA),
        new ExecutionOrder(new ExecutionTarget.Named(ALPHA), code, Optional.empty()),
        OutputListener.NONE);
  }

  private static void assertRefused(CompletionStage<?> stage) {
    assertThatThrownBy(() -> get(stage))
        .hasCauseInstanceOf(SessionException.class)
        .hasMessageContaining("drained");
  }

  @Test
  void nothingIsTakenAndWhatRunsMayEnd() throws Exception {
    CompletionStage<ExecutionResult> running = execute("wait");
    FakeEngine.FakeKernel kernel = engine.kernels.get(0);
    assertThat(kernel.running.await(10, SECONDS)).isTrue();
    CompletionStage<ExecutionResult> waiting = execute("next");
    CompletionStage<Void> drained = manager.suspend(Optional.empty(), Duration.ofHours(1));
    assertThat(manager.isSuspended()).isTrue();
    assertRefused(execute("late"));
    assertRefused(manager.start(Requester.of(ANNA), Optional.empty()));
    assertThat(drained.toCompletableFuture()).isNotDone();
    manager.interrupt(new SessionKey.Named(ANNA, ALPHA));
    get(running);
    assertThat(get(waiting).outcome()).isEqualTo(new Outcome.Ok());
    get(drained);
    assertThat(kernel.ran).containsExactly("wait", "next");
    manager.resume(Optional.empty());
    assertThat(get(execute("again")).outcome()).isEqualTo(new Outcome.Ok());
  }

  @Test
  void whenTheTimeIsOverWhatRunsIsInterruptedAndWhatWaitsIsTold() throws Exception {
    CompletionStage<ExecutionResult> running = execute("wait");
    FakeEngine.FakeKernel kernel = engine.kernels.get(0);
    assertThat(kernel.running.await(10, SECONDS)).isTrue();
    CompletionStage<ExecutionResult> waiting = execute("next");
    get(manager.suspend(Optional.empty(), Duration.ofMillis(20)));
    assertThat(get(running).outcome()).isEqualTo(new Outcome.Interrupted());
    ExecutionResult skipped = get(waiting);
    assertThat(skipped.outcome())
        .isInstanceOfSatisfying(
            Outcome.Rejected.class, told -> assertThat(told.reason()).contains("drained"));
    assertThat(skipped.state()).isEqualTo(SessionState.PRESERVED);
    assertThat(kernel.ran).containsExactly("wait");
  }

  @Test
  void aRestartEndsTheCellSkipsTheQueueAndGivesAFreshKernel() throws Exception {
    CompletionStage<ExecutionResult> running = execute("wait");
    assertThat(engine.kernels.get(0).running.await(10, SECONDS)).isTrue();
    CompletionStage<ExecutionResult> waiting = execute("2");
    get(manager.restart(Requester.of(ANNA), ALPHA));
    assertThat(get(running).outcome()).isInstanceOf(Outcome.Interrupted.class);
    assertThat(get(running).state()).isEqualTo(SessionState.LOST);
    assertThat(get(waiting).outcome()).isInstanceOf(Outcome.Rejected.class);
    assertThat(get(execute("3")).outcome()).isEqualTo(new Outcome.Ok());
    assertThat(engine.kernels).hasSize(2);
    assertThat(engine.kernels.get(0).ran).containsExactly("wait");
    assertThat(engine.kernels.get(1).ran).containsExactly("3");
    assertThatThrownBy(() -> get(manager.restart(Requester.of(new UserId("bert")), ALPHA)))
        .hasCauseInstanceOf(SessionException.class)
        .hasMessageContaining("there is no session");
  }

  @Test
  void aRestartedSessionRunsInAFreshKernelThoughTheOldOneStillDies() throws Exception {
    FakeEngine.FakeKernel old = engine.kernels.get(0);
    old.lingers = true;
    get(manager.restart(Requester.of(ANNA), ALPHA));
    get(execute("1"));
    assertThat(old.ran).isEmpty();
    assertThat(engine.kernels.get(1).ran).containsExactly("1");
    old.lingers = false;
    old.close();
  }

  @Test
  void withNothingUnderWayThereIsNothingToWaitFor() throws Exception {
    get(manager.suspend(Optional.empty(), Duration.ofHours(1)));
    manager.resume(Optional.empty());
    assertThat(manager.isSuspended()).isFalse();
    get(execute("1"));
  }
}
