package io.runstone.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class WarmKernelsTest {
  private static final Path ANNAS = Path.of("/anna");
  private static final Path BERTS = Path.of("/bert");
  private static final Duration AGE = Duration.ofMinutes(10);

  private final Engine engine = new Engine();
  private final AtomicLong now = new AtomicLong();

  private static final long MEMORY = 1000;

  private WarmKernels pool(int perWorkspace, int total) {
    return new WarmKernels(
        engine, new WarmKernels.Limits(perWorkspace, total, 10 * MEMORY, AGE), now::get);
  }

  private static Idle get(CompletionStage<Kernel> stage) {
    assertThat(stage.toCompletableFuture()).isCompleted();
    return (Idle) stage.toCompletableFuture().join();
  }

  @Test
  void theSecondLaunchIsServedFromThePoolAndRefilled() {
    WarmKernels pool = pool(1, 5);
    Idle first = get(pool.launch(ANNAS));
    assertThat(engine.launched).hasSize(2);
    Idle second = get(pool.launch(ANNAS));
    assertThat(second).isNotSameAs(first).isSameAs(engine.launched.get(1));
    assertThat(engine.launched).hasSize(3);
    assertThat(pool.size()).isEqualTo(1);
  }

  @Test
  void aKernelIsNeverGivenToAnotherWorkspace() {
    WarmKernels pool = pool(1, 5);
    get(pool.launch(ANNAS));
    Idle berts = get(pool.launch(BERTS));
    assertThat(berts.workspace).isEqualTo(BERTS);
  }

  @Test
  void theTotalIsNeverExceeded() {
    WarmKernels pool = pool(3, 2);
    for (int i = 0; i < 4; i++) {
      get(pool.launch(ANNAS));
      get(pool.launch(BERTS));
      assertThat(pool.size()).isLessThanOrEqualTo(2);
    }
  }

  @Test
  void theReadyKernelsNeverHoldMoreMemoryThanConfigured() {
    WarmKernels.Limits limits = new WarmKernels.Limits(3, 9, 2 * MEMORY + 1, AGE);
    WarmKernels pool = new WarmKernels(engine, limits, now::get);
    for (int i = 0; i < 9; i++) {
      get(pool.launch(ANNAS));
      pool.tend();
      assertThat(pool.size()).isBetween(1, 2);
    }
    assertThat(pool.size()).isEqualTo(2);
    WarmKernels tight =
        new WarmKernels(engine, new WarmKernels.Limits(3, 9, MEMORY - 1, AGE), now::get);
    get(tight.launch(BERTS)).close();
    assertThat(tight.size()).isZero();
  }

  @Test
  void aDeadKernelIsNotHandedOut() {
    WarmKernels pool = pool(1, 5);
    get(pool.launch(ANNAS));
    engine.launched.get(1).alive = false;
    assertThat(get(pool.launch(ANNAS)).isAlive()).isTrue();
  }

  @Test
  void anEmptyPoolDelaysNothingAndALaunchOnItsWayCounts() {
    WarmKernels pool = pool(1, 5);
    get(pool.launch(ANNAS));
    engine.held = new ArrayList<>();
    get(pool.launch(ANNAS));
    assertThat(engine.held).hasSize(1); // the refill
    CompletionStage<Kernel> next = pool.launch(ANNAS);
    assertThat(engine.held).hasSize(2); // passed on at once
    engine.held.get(1).complete(new Idle(ANNAS));
    get(next);
    assertThat(engine.held).hasSize(2);
  }

  @Test
  void oldKernelsAreReplacedAndUnusedOnesEnded() {
    WarmKernels pool = pool(1, 5);
    get(pool.launch(ANNAS));
    Idle ready = engine.launched.get(1);
    now.addAndGet(AGE.toNanos() / 2);
    pool.tend();
    assertThat(ready.alive).isTrue();
    Idle handedOut = get(pool.launch(ANNAS));
    assertThat(handedOut).isSameAs(ready);
    now.addAndGet(AGE.toNanos() + 1);
    pool.tend();
    assertThat(pool.size()).isZero();
    assertThat(engine.launched.get(2).alive).isFalse();
    assertThat(ready.alive).isTrue();
  }

  @Test
  void closingEndsWhatIsReadyAndWhatComesLater() {
    WarmKernels pool = pool(1, 5);
    get(pool.launch(ANNAS));
    engine.held = new ArrayList<>();
    get(pool.launch(ANNAS));
    pool.close();
    Idle late = new Idle(ANNAS);
    engine.held.get(0).complete(late);
    assertThat(late.alive).isFalse();
  }

  /** Launches at once, or when a test says so. */
  private static final class Engine implements KernelEngine {
    final List<Idle> launched = new ArrayList<>();
    List<CompletableFuture<Kernel>> held = List.of();

    @Override
    public CompletionStage<Kernel> launch(Path workspace) {
      if (held instanceof ArrayList<CompletableFuture<Kernel>> waiting) {
        waiting.add(new CompletableFuture<>());
        return waiting.get(waiting.size() - 1);
      }
      launched.add(new Idle(workspace));
      return CompletableFuture.completedStage(launched.get(launched.size() - 1));
    }

    @Override
    public EngineStatus status() {
      return new EngineStatus(true, "test", "cgroup v2", Optional.empty(), "", Optional.empty());
    }

    @Override
    public void close() {}
  }

  private static final class Idle implements Kernel {
    final Path workspace;
    boolean alive = true;

    Idle(Path workspace) {
      this.workspace = workspace;
    }

    @Override
    public ExecutionResult execute(ExecuteRequest request, OutputListener listener) {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean interrupt(ExecutionId id) {
      return false;
    }

    @Override
    public boolean isAlive() {
      return alive;
    }

    @Override
    public CompletionStage<Void> onExit() {
      return CompletableFuture.completedStage(null);
    }

    @Override
    public long memoryBytes() {
      return MEMORY;
    }

    @Override
    public KernelInfo info() {
      return new KernelInfo(1, "3");
    }

    @Override
    public void close() {
      alive = false;
    }
  }
}
