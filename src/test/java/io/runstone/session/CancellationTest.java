package io.runstone.session;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.runstone.concurrent.Threads;
import io.runstone.config.TestSettings;
import io.runstone.kernel.Cancellation;
import io.runstone.kernel.ExecutionResult;
import io.runstone.kernel.Outcome;
import io.runstone.kernel.OutputListener;
import io.runstone.kernel.SessionState;
import io.runstone.sandbox.SandboxHost;
import io.runstone.security.Requester;
import io.runstone.security.UserId;
import io.runstone.workspace.Workspaces;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is cancelled before it runs. What is cancelled while it runs: the contract of kernels. */
class CancellationTest {
  private static final UserId ANNA = new UserId("anna");
  private static final SessionId ALPHA = new SessionId("alpha");

  private final FakeEngine engine = new FakeEngine();

  private static <T> T get(CompletionStage<T> stage) throws Exception {
    return stage.toCompletableFuture().get(10, SECONDS);
  }

  private static CompletionStage<ExecutionResult> execute(
      SessionManager manager, String code, Cancellation cancellation) {
    return manager.execute(
        Requester.of(ANNA),
        new ExecutionOrder(new ExecutionTarget.Named(ALPHA), code, Optional.empty(), cancellation),
        OutputListener.NONE);
  }

  @Test
  void whatIsCancelledWhileItWaitsIsNotRunAndTheNextIs(@TempDir Path data) throws Exception {
    try (SessionManagers.Opened opened =
        SessionManagers.open(
            new TestSettings(data).read(),
            new Threads(Thread::new),
            engine,
            new Workspaces(data, SandboxHost.of("", 60_800, 60_800, data)))) {
      SessionManager manager = opened.manager();
      get(manager.start(Requester.of(ANNA), Optional.of(ALPHA)));
      CompletionStage<ExecutionResult> first = execute(manager, "wait", new Cancellation());
      FakeEngine.FakeKernel kernel = engine.kernels.get(0);
      assertThat(kernel.running.await(10, SECONDS)).isTrue();
      Cancellation cancellation = new Cancellation();
      CompletionStage<ExecutionResult> second = execute(manager, "never", cancellation);
      CompletionStage<ExecutionResult> third = execute(manager, "third", new Cancellation());
      cancellation.cancel("");
      ExecutionResult cancelled = get(second);
      assertThat(cancelled.outcome()).isInstanceOf(Outcome.Rejected.class);
      assertThat(cancelled.state()).isEqualTo(SessionState.PRESERVED);
      manager.interrupt(new SessionKey.Named(ANNA, ALPHA));
      get(first);
      get(third);
      assertThat(kernel.ran).containsExactly("wait", "third");
      Cancellation early = new Cancellation();
      early.cancel("");
      assertThat(get(execute(manager, "never", early)).outcome())
          .isInstanceOf(Outcome.Rejected.class);
      assertThat(kernel.ran).containsExactly("wait", "third");
    }
  }
}
