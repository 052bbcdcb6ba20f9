package io.runstone.session;

import io.runstone.kernel.EngineStatus;
import io.runstone.kernel.ExecuteRequest;
import io.runstone.kernel.ExecutionId;
import io.runstone.kernel.ExecutionResult;
import io.runstone.kernel.Kernel;
import io.runstone.kernel.KernelEngine;
import io.runstone.kernel.KernelException;
import io.runstone.kernel.KernelInfo;
import io.runstone.kernel.Outcome;
import io.runstone.kernel.OutputListener;
import io.runstone.kernel.SessionState;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Kernels without processes: the code {@code "wait"} runs until the kernel is interrupted or
 * closed, {@code "die"} ends the kernel, everything else ends at once.
 */
final class FakeEngine implements KernelEngine {
  final List<FakeKernel> kernels = new CopyOnWriteArrayList<>();
  final AtomicInteger launches = new AtomicInteger();
  volatile CountDownLatch startGate = new CountDownLatch(0);
  volatile boolean failing;

  @Override
  public CompletionStage<Kernel> launch(Path workspace) {
    launches.incrementAndGet();
    if (failing) {
      return CompletableFuture.failedStage(new KernelException("no kernel today"));
    }
    try {
      startGate.await();
    } catch (InterruptedException e) {
      return CompletableFuture.failedStage(e);
    }
    FakeKernel kernel = new FakeKernel();
    kernels.add(kernel);
    return CompletableFuture.completedStage(kernel);
  }

  @Override
  public EngineStatus status() {
    return new EngineStatus(true, "fake", "cgroup v2", Optional.of("3.0"), "", Optional.empty());
  }

  @Override
  public void close() {
    startGate.countDown();
    kernels.forEach(FakeKernel::close);
  }

  /** A kernel that runs nothing. */
  static final class FakeKernel implements Kernel {
    final CountDownLatch running = new CountDownLatch(1);

    /** Set to make the process live on when it is killed, as real ones do for a moment. */
    volatile boolean lingers;

    final List<String> ran = new CopyOnWriteArrayList<>();
    private final CompletableFuture<Void> exit = new CompletableFuture<>();
    private final CountDownLatch interrupted = new CountDownLatch(1);

    @Override
    public ExecutionResult execute(ExecuteRequest request, OutputListener listener)
        throws InterruptedException {
      ran.add(request.mayWrite() ? request.code() : request.code() + " without writing");
      if (request.code().equals("wait")) {
        running.countDown();
        interrupted.await();
        return result(
            request,
            exit.isDone() ? new Outcome.KernelDied("closed", true) : new Outcome.Interrupted());
      } else if (request.code().equals("die")) {
        close();
        return result(request, new Outcome.KernelDied("died", true));
      }
      return result(request, new Outcome.Ok());
    }

    private static ExecutionResult result(ExecuteRequest request, Outcome outcome) {
      SessionState state =
          outcome instanceof Outcome.KernelDied ? SessionState.LOST : SessionState.PRESERVED;
      return new ExecutionResult(
          request.id(), outcome, List.of(), List.of(), state, Duration.ZERO, Duration.ZERO);
    }

    @Override
    public boolean interrupt(ExecutionId id) {
      interrupted.countDown();
      return true;
    }

    @Override
    public boolean isAlive() {
      return !exit.isDone();
    }

    @Override
    public CompletionStage<Void> onExit() {
      return exit;
    }

    @Override
    public long memoryBytes() {
      return 0;
    }

    @Override
    public KernelInfo info() {
      return new KernelInfo(1, "3.0");
    }

    @Override
    public void close() {
      if (!lingers) {
        exit.complete(null);
      }
      interrupted.countDown(); // after that, or what runs would take it for an interrupt
    }
  }
}
