package io.runstone.session;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.runstone.concurrent.Threads;
import io.runstone.config.Settings;
import io.runstone.config.TestSettings;
import io.runstone.kernel.ExecutionResult;
import io.runstone.kernel.Outcome;
import io.runstone.kernel.OutputListener;
import io.runstone.kernel.SessionState;
import io.runstone.sandbox.SandboxHost;
import io.runstone.security.Requester;
import io.runstone.security.UserId;
import io.runstone.security.audit.AuditLog;
import io.runstone.session.SessionException.Category;
import io.runstone.workspace.Workspaces;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SessionManagerTest {
  private static final UserId ANNA = new UserId("anna");
  private static final UserId BERT = new UserId("bert");
  private static final SessionId ALPHA = new SessionId("alpha");

  @TempDir Path data;
  private final FakeEngine engine = new FakeEngine();
  private final TestClock clock = new TestClock();
  private final BlockingQueue<SessionEvent> events = new LinkedBlockingQueue<>();
  private SessionManager manager;

  @BeforeEach
  void open() throws Exception {
    Settings settings =
        new TestSettings(data)
            .with("runstone.sessions.per-user", "3")
            .with("runstone.sessions.per-node", "4")
            .with("runstone.sessions.queue-length", "2")
            .read();
    open(settings);
    manager.addListener(events::add);
  }

  @AfterEach
  void close() {
    engine.startGate.countDown();
    manager.close();
    assertThat(engine.kernels).noneMatch(FakeEngine.FakeKernel::isAlive);
  }

  private static <T> T get(CompletionStage<T> stage) throws Exception {
    return stage.toCompletableFuture().get(10, SECONDS);
  }

  private static Category refusal(CompletionStage<?> stage) {
    try {
      stage.toCompletableFuture().get(10, SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof SessionException refused) {
        return refused.category();
      }
      throw new AssertionError(e);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
    throw new AssertionError("was not refused");
  }

  private CompletionStage<SessionInfo> start(UserId user, Optional<SessionId> id) {
    return manager.start(Requester.of(user), id);
  }

  private CompletionStage<SessionInfo> stop(UserId user) {
    return manager.stop(Requester.of(user), ALPHA);
  }

  private CompletionStage<ExecutionResult> execute(UserId user, SessionId id, String code) {
    ExecutionOrder order =
        new ExecutionOrder(new ExecutionTarget.Named(id), code, Optional.empty());
    return manager.execute(Requester.of(user), order, OutputListener.NONE);
  }

  @Test
  void aSessionIsItsUsersAloneAndUnknownToOthers() throws Exception {
    get(start(ANNA, Optional.of(ALPHA)));
    assertThat(manager.find(ANNA, ALPHA)).isPresent();
    assertThat(manager.find(BERT, ALPHA)).isEmpty();
    assertThat(manager.list(BERT)).isEmpty();
    assertThat(refusal(execute(BERT, ALPHA, "1"))).isEqualTo(Category.UNKNOWN);
    assertThat(refusal(stop(BERT))).isEqualTo(Category.UNKNOWN);
    assertThatThrownBy(() -> manager.interrupt(new SessionKey.Named(BERT, ALPHA)))
        .isInstanceOf(SessionException.class);
    get(start(BERT, Optional.of(ALPHA)));
    assertThat(engine.kernels).hasSize(2);
  }

  @Test
  void anIdIsTakenOnceAndFreeAfterTheStop() throws Exception {
    get(start(ANNA, Optional.of(ALPHA)));
    assertThat(refusal(start(ANNA, Optional.of(ALPHA)))).isEqualTo(Category.TAKEN);
    get(stop(ANNA));
    assertThat(engine.kernels.get(0).isAlive()).isFalse();
    assertThat(manager.list(ANNA)).isEmpty();
    get(start(ANNA, Optional.of(ALPHA)));
  }

  @Test
  void generatedIdsHaveTheContractsForm() throws Exception {
    SessionInfo info = get(start(ANNA, Optional.empty()));
    assertThat(info.key().label()).matches("session_[0-9a-f]{12}");
  }

  @Test
  void startsAtTheSameTimeNeverOvershootTheLimit() {
    engine.startGate = new CountDownLatch(1);
    List<CompletableFuture<SessionInfo>> starts =
        IntStream.range(0, 20)
            .parallel()
            .mapToObj(i -> start(ANNA, Optional.empty()).toCompletableFuture())
            .toList();
    engine.startGate.countDown();
    List<Category> refused = new ArrayList<>();
    int started = 0;
    for (CompletableFuture<SessionInfo> start : starts) {
      try {
        start.get(10, SECONDS);
        started++;
      } catch (Exception e) {
        refused.add(refusal(start));
      }
    }
    assertThat(started).isEqualTo(3);
    assertThat(refused).hasSize(17).containsOnly(Category.USER_LIMIT);
    assertThat(engine.launches).hasValue(3);
  }

  @Test
  void theNodesLimitCountsEveryKernel() throws Exception {
    for (int i = 0; i < 3; i++) {
      get(start(ANNA, Optional.empty()));
    }
    get(start(BERT, Optional.empty()));
    assertThat(refusal(start(BERT, Optional.empty()))).isEqualTo(Category.NODE_LIMIT);
    ExecutionOrder once = new ExecutionOrder(new ExecutionTarget.OneShot(), "1", Optional.empty());
    assertThat(refusal(manager.execute(Requester.of(BERT), once, OutputListener.NONE)))
        .isEqualTo(Category.NODE_LIMIT);
  }

  @Test
  void aRaisedLimitAppliesAtOnce() throws Exception {
    for (int i = 0; i < 3; i++) {
      get(start(ANNA, Optional.empty()));
    }
    SessionLimits before = manager.limits();
    manager.setLimits(
        new SessionLimits(4, before.perNode(), before.idleTimeout(), before.maxLifetime()));
    get(start(ANNA, Optional.empty()));
  }

  @Test
  void executionsRunInOrderAndAFullQueueIsRefused() throws Exception {
    get(start(ANNA, Optional.of(ALPHA)));
    CompletionStage<ExecutionResult> first = execute(ANNA, ALPHA, "wait");
    assertThat(engine.kernels.get(0).running.await(10, SECONDS)).isTrue();
    CompletionStage<ExecutionResult> second = execute(ANNA, ALPHA, "2");
    CompletionStage<ExecutionResult> third = execute(ANNA, ALPHA, "3");
    assertThat(refusal(execute(ANNA, ALPHA, "4"))).isEqualTo(Category.QUEUE_FULL);
    assertThat(manager.interrupt(new SessionKey.Named(ANNA, ALPHA))).isTrue();
    assertThat(get(first).outcome()).isEqualTo(new Outcome.Interrupted());
    get(second);
    get(third);
    assertThat(engine.kernels.get(0).ran).containsExactly("wait", "2", "3");
  }

  @Test
  void aStopWaitsForNoCellAndWhatWaitedNeverRuns() throws Exception {
    get(start(ANNA, Optional.of(ALPHA)));
    CompletionStage<ExecutionResult> running = execute(ANNA, ALPHA, "wait");
    assertThat(engine.kernels.get(0).running.await(10, SECONDS)).isTrue();
    CompletionStage<ExecutionResult> waiting = execute(ANNA, ALPHA, "2");
    assertThat(manager.list(ANNA)).singleElement().matches(SessionInfo::running);
    get(stop(ANNA));
    assertThat(refusal(waiting)).isEqualTo(Category.UNKNOWN);
    assertThat(get(running).state()).isEqualTo(SessionState.LOST);
    assertThat(engine.kernels.get(0).ran).containsExactly("wait");
  }

  @Test
  void aStopDuringTheStartLeavesNoKernel() throws Exception {
    engine.startGate = new CountDownLatch(1);
    CompletionStage<SessionInfo> start = start(ANNA, Optional.of(ALPHA));
    manager.close(); // which closes the engine, and that ends what is being launched
    assertThat(refusal(start)).isIn(Category.UNKNOWN, Category.UNAVAILABLE);
    for (FakeEngine.FakeKernel kernel : engine.kernels) {
      get(kernel.onExit());
    }
  }

  @Test
  void aFailedStartFreesTheSlotAndTellsWhy() throws Exception {
    engine.failing = true;
    assertThatThrownBy(() -> get(start(ANNA, Optional.of(ALPHA))))
        .hasRootCauseMessage("no kernel today")
        .cause()
        .hasMessage("no kernel today");
    engine.failing = false;
    get(start(ANNA, Optional.of(ALPHA)));
  }

  @Test
  void aDeadKernelIsReplacedForTheNextCell() throws Exception {
    get(start(ANNA, Optional.of(ALPHA)));
    assertThat(get(execute(ANNA, ALPHA, "die")).state()).isEqualTo(SessionState.LOST);
    assertThat(get(execute(ANNA, ALPHA, "1")).outcome()).isEqualTo(new Outcome.Ok());
    assertThat(engine.kernels).hasSize(2);
    assertThat(events).contains(new SessionEvent.KernelDied(new SessionKey.Named(ANNA, ALPHA)));
  }

  @Test
  void anExecutionWithoutSessionGetsACleanKernelThatEndsWithIt() throws Exception {
    ExecutionOrder once = new ExecutionOrder(new ExecutionTarget.OneShot(), "1", Optional.empty());
    ExecutionResult result = get(manager.execute(Requester.of(ANNA), once, OutputListener.NONE));
    assertThat(result.state()).isEqualTo(SessionState.NONE);
    get(engine.kernels.get(0).onExit());
    assertThat(manager.list(ANNA)).isEmpty();
  }

  @Test
  void anMcpSessionHasOneImplicitSessionThatIsNotListed() throws Exception {
    ExecutionOrder order =
        new ExecutionOrder(new ExecutionTarget.Implicit("m1"), "1", Optional.empty());
    List<CompletionStage<ExecutionResult>> results =
        IntStream.range(0, 2)
            .mapToObj(i -> manager.execute(Requester.of(ANNA), order, OutputListener.NONE))
            .toList();
    for (CompletionStage<ExecutionResult> result : results) {
      get(result);
    }
    assertThat(engine.kernels).hasSize(1);
    assertThat(manager.list(ANNA)).isEmpty();
    assertThat(manager.all()).hasSize(1);
    get(manager.execute(Requester.of(BERT), order, OutputListener.NONE));
    assertThat(engine.kernels).hasSize(2);
  }

  @Test
  void unusedAndOldSessionsAreEnded() throws Exception {
    SessionLimits now = manager.limits();
    get(start(ANNA, Optional.of(ALPHA)));
    clock.advance(now.idleTimeout().plus(Duration.ofSeconds(1)));
    assertThat(nextStop()).isEqualTo(StopReason.IDLE);
    get(start(ANNA, Optional.of(ALPHA)));
    execute(ANNA, ALPHA, "wait");
    assertThat(engine.kernels.get(1).running.await(10, SECONDS)).isTrue();
    clock.advance(now.maxLifetime());
    assertThat(nextStop()).isEqualTo(StopReason.LIFETIME);
  }

  private StopReason nextStop() throws InterruptedException {
    while (true) {
      SessionEvent event = events.poll(10, SECONDS);
      if (event instanceof SessionEvent.Stopped stopped) {
        return stopped.reason();
      }
      assertThat(event).as("a stop was expected").isNotNull();
    }
  }

  @Test
  void badOrdersAreRefusedBeforeAnyKernel() {
    ExecutionOrder blank =
        new ExecutionOrder(new ExecutionTarget.OneShot(), " \n", Optional.empty());
    assertThat(refusal(manager.execute(Requester.of(ANNA), blank, OutputListener.NONE)))
        .isEqualTo(Category.BAD_REQUEST);
    ExecutionOrder endless =
        new ExecutionOrder(new ExecutionTarget.OneShot(), "1", Optional.of(Duration.ofDays(1)));
    assertThat(refusal(manager.execute(Requester.of(ANNA), endless, OutputListener.NONE)))
        .isEqualTo(Category.BAD_REQUEST);
    assertThat(engine.launches).hasValue(0);
  }

  @Test
  void listenersHearOfStartsStopsAndLimits() throws Exception {
    SessionKey alpha = new SessionKey.Named(ANNA, ALPHA);
    get(start(ANNA, Optional.of(ALPHA)));
    get(start(ANNA, Optional.empty()));
    get(start(ANNA, Optional.empty()));
    refusal(start(ANNA, Optional.of(new SessionId("more"))));
    get(stop(ANNA));
    assertThat(events)
        .contains(
            new SessionEvent.Started(alpha),
            new SessionEvent.LimitReached(
                new SessionKey.Named(ANNA, new SessionId("more")), Category.USER_LIMIT),
            new SessionEvent.Stopped(alpha, StopReason.REQUESTED));
  }

  @Test
  void aSessionThatIsOnlyStartingCanBeStopped() throws Exception {
    engine.startGate = new CountDownLatch(1);
    CompletionStage<SessionInfo> start = start(ANNA, Optional.of(ALPHA));
    CompletionStage<SessionInfo> stop = stop(ANNA);
    engine.startGate.countDown();
    get(stop);
    assertThat(refusal(start)).isEqualTo(Category.UNKNOWN);
    assertThat(engine.kernels).noneMatch(FakeEngine.FakeKernel::isAlive);
    get(start(ANNA, Optional.of(ALPHA)));
  }

  @Test
  void onAFullNodeTheLongestUnusedImplicitSessionMakesRoomAndItsUserIsTold() throws Exception {
    for (int i = 0; i < 4; i++) {
      get(manager.execute(Requester.of(ANNA), implicit("m" + i), OutputListener.NONE));
      clock.advance(Duration.ofSeconds(20));
    }
    get(start(BERT, Optional.of(ALPHA)));
    assertThat(engine.kernels.get(0).isAlive()).isFalse();
    assertThat(engine.kernels.get(1).isAlive()).isTrue();
    ExecutionResult told =
        get(manager.execute(Requester.of(ANNA), implicit("m0"), OutputListener.NONE));
    assertThat(told.outcome()).isInstanceOf(Outcome.Rejected.class);
    assertThat(told.state()).isEqualTo(SessionState.LOST);
    assertThat(
            get(manager.execute(Requester.of(ANNA), implicit("m0"), OutputListener.NONE)).outcome())
        .isEqualTo(new Outcome.Ok());
  }

  private static ExecutionOrder implicit(String mcpSession) {
    return new ExecutionOrder(new ExecutionTarget.Implicit(mcpSession), "1", Optional.empty());
  }

  @Test
  void overItsQuotaAWorkspaceCanOnlyShrink() throws Exception {
    reopen(new TestSettings(data).with("runstone.workspace.max-bytes", "10000"));
    get(start(ANNA, Optional.of(ALPHA)));
    get(execute(ANNA, ALPHA, "1"));
    Path file = new Workspaces(data, SandboxHost.of("", 60_800, 60_800, data)).directory(ANNA);
    Files.write(file.resolve("large"), new byte[20_000]);
    clock.advance(Duration.ofSeconds(3));
    get(execute(ANNA, ALPHA, "2"));
    Files.delete(file.resolve("large"));
    get(execute(ANNA, ALPHA, "3"));
    assertThat(engine.kernels.get(0).ran).containsExactly("1", "2 without writing", "3");
  }

  private void reopen(TestSettings settings) throws Exception {
    manager.close();
    open(settings.read());
  }

  private void open(Settings settings) throws Exception {
    manager = new SessionManager();
    SandboxHost host = SandboxHost.of("", 60_800, 60_800, data);
    manager.use(
        settings,
        new Threads(Thread::new),
        engine,
        new Workspaces(data, host),
        clock,
        AuditLog.OFF,
        ExecutionCalls.NONE);
    manager.open();
  }

  @Test
  void withoutFreeSpaceNothingIsRunAndTheSettingIsNamed() throws Exception {
    reopen(
        new TestSettings(data)
            .with("runstone.workspace.min-free-bytes", String.valueOf(Long.MAX_VALUE)));
    get(start(ANNA, Optional.of(ALPHA)));
    ExecutionResult result = get(execute(ANNA, ALPHA, "1"));
    assertThat(result.outcome())
        .isInstanceOfSatisfying(
            Outcome.Rejected.class,
            rejected ->
                assertThat(rejected.reason()).contains("runstone.workspace.min-free-bytes"));
    assertThat(engine.kernels).allMatch(kernel -> kernel.ran.isEmpty());
  }
}
