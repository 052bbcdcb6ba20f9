package io.runstone.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every kernel of every engine does; see {@link KernelOutputContract} for the rest. */
public abstract class KernelContract {
  private static final Duration LONG = Duration.ofSeconds(60);

  protected Kernel kernel;

  /** Starts a kernel with a workspace of its own. */
  protected abstract Kernel launch() throws Exception;

  @BeforeEach
  void open() throws Exception {
    kernel = launch();
  }

  @AfterEach
  void close() throws Exception {
    kernel.close();
    kernel.onExit().toCompletableFuture().get(5, TimeUnit.SECONDS);
  }

  protected ExecutionResult run(String code) throws InterruptedException {
    return run(code, LONG);
  }

  private ExecutionResult run(String code, Duration timeout) throws InterruptedException {
    return kernel.execute(
        new ExecuteRequest(ExecutionId.random(), code, timeout), OutputListener.NONE);
  }

  protected String shown(String code) throws InterruptedException {
    return ExecutionText.whole(run(code));
  }

  @Test
  void keepsVariablesAndShowsTheLastExpression() throws Exception {
    assertThat(shown("x = 6")).isEqualTo(ExecutionText.NO_OUTPUT);
    assertThat(shown("x * 7")).isEqualTo("42\n");
    assertThat(shown("print('a'); print('b', end='')\nx")).isEqualTo("a\nb\n6\n");
  }

  @Test
  void keepsTheStreamsApart() throws Exception {
    ExecutionResult result = run("import sys\nprint('out')\nprint('err', file=sys.stderr)");
    assertThat(result.stream(StreamName.STDOUT)).isEqualTo("out\n");
    assertThat(result.stream(StreamName.STDERR)).isEqualTo("err\n");
  }

  @Test
  void anErrorKeepsWhatWasPrintedAndTheVariables() throws Exception {
    ExecutionResult result = run("y = 1\nprint('before')\nraise ValueError('expected')");
    assertThat(result.outcome()).isInstanceOf(Outcome.Failed.class);
    assertThat(result.error().orElseThrow().ename()).isEqualTo("ValueError");
    assertThat(result.error().orElseThrow().traceback())
        .startsWith("Traceback (most recent call last):")
        .contains("line 3", "raise ValueError('expected')")
        .endsWith("ValueError: expected")
        .doesNotContain("\u001b", "_runstone");
    assertThat(result.stream(StreamName.STDOUT)).isEqualTo("before\n");
    assertThat(result.state()).isEqualTo(SessionState.PRESERVED);
    assertThat(shown("y")).isEqualTo("1\n");
  }

  @Test
  void aSyntaxErrorIsAnError() throws Exception {
    assertThat(run("def f(:").error().orElseThrow().ename()).isEqualTo("SyntaxError");
  }

  @Test
  void streamsOutputWhileTheCellRuns() throws Exception {
    CountDownLatch seen = new CountDownLatch(1);
    CompletableFuture<Boolean> seenInTime = new CompletableFuture<>();
    String code =
        "import os, time\nprint('first')\nend = time.time() + 30\n"
            + "while not os.path.exists('go') and time.time() < end: time.sleep(0.01)\nprint('last')";
    List<String> texts = new CopyOnWriteArrayList<>();
    Thread watcher =
        new Thread(
            () -> {
              try {
                seenInTime.complete(seen.await(20, TimeUnit.SECONDS));
                release();
              } catch (Exception e) {
                seenInTime.completeExceptionally(e);
              }
            });
    watcher.start();
    ExecutionResult result =
        kernel.execute(
            new ExecuteRequest(ExecutionId.random(), code, LONG),
            output -> {
              texts.add(output.text());
              seen.countDown();
            });
    assertThat(seenInTime.get(20, TimeUnit.SECONDS)).isTrue();
    assertThat(result.outcome()).isEqualTo(new Outcome.Ok());
    assertThat(texts.get(0)).isEqualTo("first\n");
  }

  /** Makes the file {@code go} in the kernel's workspace, from outside. */
  protected abstract void release() throws Exception;

  @Test
  void aTimeoutInterruptsAndKeepsTheVariables() throws Exception {
    run("kept = 'yes'");
    ExecutionResult result = run("print('started')\nwhile True: pass", Duration.ofMillis(300));
    assertThat(result.outcome()).isEqualTo(new Outcome.TimedOut(Duration.ofMillis(300)));
    assertThat(result.state()).isEqualTo(SessionState.PRESERVED);
    assertThat(result.stream(StreamName.STDOUT)).isEqualTo("started\n");
    assertThat(result.executionTime()).isLessThan(Duration.ofSeconds(3));
    assertThat(result.cpuTime()).isBetween(Duration.ofMillis(100), Duration.ofSeconds(3));
    assertThat(shown("kept")).isEqualTo("'yes'\n");
  }

  @Test
  void whatObeysNoInterruptIsKilledAndSaysSo() throws Exception {
    run("kept = 'yes'");
    ExecutionResult result =
        run("print('started', flush=True)\nsum(range(10**13))", Duration.ofMillis(300));
    assertThat(result.outcome()).isInstanceOf(Outcome.TimedOut.class);
    assertThat(result.state()).isEqualTo(SessionState.LOST);
    assertThat(result.stream(StreamName.STDOUT)).isEqualTo("started\n");
    assertThat(run("kept").error().orElseThrow().ename()).isEqualTo("NameError");
  }

  @Test
  void anInterruptEndsTheCellAndOnlyThatCell() throws Exception {
    ExecutionId id = ExecutionId.random();
    CountDownLatch started = new CountDownLatch(1);
    Thread other =
        new Thread(
            () -> {
              try {
                started.await();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
              kernel.interrupt(id);
            });
    other.start();
    ExecutionResult result =
        kernel.execute(
            new ExecuteRequest(id, "kept = 1\nprint('go')\nimport time; time.sleep(60)", LONG),
            output -> started.countDown());
    assertThat(result.outcome()).isEqualTo(new Outcome.Interrupted());
    assertThat(result.state()).isEqualTo(SessionState.PRESERVED);
    assertThat(kernel.interrupt(id)).isFalse();
    assertThat(shown("kept")).isEqualTo("1\n");
  }

  @Test
  void aCancellationInterruptsTheCellEvenBeforeItStarts() throws Exception {
    Cancellation during = new Cancellation();
    ExecutionResult result =
        kernel.execute(
            cancellable("kept = 2\nprint('go', flush=True)\nimport time; time.sleep(60)", during),
            output -> during.cancel(", for its client went away"));
    assertThat(result.outcome()).isEqualTo(new Outcome.Interrupted(", for its client went away"));
    assertThat(result.state()).isEqualTo(SessionState.PRESERVED);
    Cancellation before = new Cancellation();
    before.cancel("");
    ExecutionResult early =
        kernel.execute(cancellable("import time; time.sleep(60)", before), OutputListener.NONE);
    assertThat(early.outcome()).isEqualTo(new Outcome.Interrupted());
    assertThat(early.executionTime()).isLessThan(Duration.ofSeconds(2));
    assertThat(shown("kept")).isEqualTo("2\n");
  }

  private static ExecuteRequest cancellable(String code, Cancellation cancellation) {
    return new ExecuteRequest(ExecutionId.random(), code, LONG, true, cancellation);
  }

  @Test
  void aDeathIsReportedWithWhatWasPrinted() throws Exception {
    ExecutionResult result = run("import os\nprint('before', flush=True)\nos._exit(3)");
    assertThat(result.outcome())
        .isEqualTo(
            new Outcome.KernelDied("The Python process ended itself with exit code 3", true));
    assertThat(result.state()).isEqualTo(SessionState.LOST);
    assertThat(result.stream(StreamName.STDOUT)).isEqualTo("before\n");
    assertThat(shown("1 + 1")).isEqualTo("2\n");
    ExecutionResult crash = run("import ctypes\nctypes.string_at(0)");
    assertThat(crash.outcome())
        .isEqualTo(new Outcome.KernelDied("The Python process was ended by SIGSEGV", true));
    assertThat(shown("1 + 1")).isEqualTo("2\n");
  }

  @Test
  void aDeathBetweenCellsIsToldInsteadOfRunningInAnEmptyNamespace() throws Exception {
    run(
        """
        import os, threading
        def die():
          while not os.path.exists('go'): pass
          os._exit(1)
        threading.Thread(target=die).start()""");
    release();
    ExecutionResult next = run("1");
    for (int i = 0; i < 1000 && next.state() != SessionState.LOST; i++) {
      next = run("1"); // some cells may come before the thread acts
    }
    assertThat(next.outcome()).isInstanceOf(Outcome.KernelDied.class);
    assertThat(shown("1 + 1")).isEqualTo("2\n");
  }

  @Test
  void whenTheSandboxDiesTheCellSaysSo() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    Thread killer =
        new Thread(
            () -> {
              try {
                started.await();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
              kernel.close();
            });
    killer.start();
    ExecutionResult result =
        kernel.execute(
            new ExecuteRequest(
                ExecutionId.random(), "print('on', flush=True)\nimport time; time.sleep(60)", LONG),
            output -> started.countDown());
    assertThat(result.outcome()).isInstanceOf(Outcome.KernelDied.class);
    assertThat(result.stream(StreamName.STDOUT)).isEqualTo("on\n");
    assertThat(kernel.isAlive()).isFalse();
    ExecutionResult after = run("open('ran', 'w')");
    assertThat(after.outcome())
        .isInstanceOfSatisfying(
            Outcome.KernelDied.class, died -> assertThat(died.started()).isFalse());
  }

  @Test
  void aFloodIsBoundedAndKeepsItsEnds() throws Exception {
    ExecutionResult result =
        run("print('FIRST')\nfor i in range(200): print('x' * 100_000)\nprint('LAST')");
    String out = result.stream(StreamName.STDOUT);
    assertThat(out).startsWith("FIRST\n").contains("characters left out").endsWith("LAST\n");
    assertThat(out.length()).isLessThan(1_100_000);
  }

  @Test
  void textThatIsNotUtf8IsShownNotLost() throws Exception {
    ExecutionResult result =
        run("import os\nos.write(1, b'\\xff\\xe2\\x82')\nprint('\\ud800')\nprint('a\\0b')");
    assertThat(result.stream(StreamName.STDOUT)).isEqualTo("\ufffd\ufffd\\ud800\na\0b\n");
  }

  @Test
  void topLevelAwaitWorks() throws Exception {
    assertThat(shown("import asyncio\nawait asyncio.sleep(0.01)\n'done'")).isEqualTo("'done'\n");
  }

  @Test
  void inputFailsAtOnceWithAReason() throws Exception {
    assertThat(run("input('name?')").error().orElseThrow().evalue())
        .contains("input() is not available");
  }

  @Test
  void cpuTimeIsMeasured() throws Exception {
    assertThat(run("import time; time.sleep(0.3)").cpuTime()).isLessThan(Duration.ofMillis(150));
    assertThat(
            run("import time\ne = time.process_time() + 0.3\nwhile time.process_time() < e: pass")
                .cpuTime())
        .isGreaterThan(Duration.ofMillis(250));
  }

  @Test
  void thePeakOfMemoryIsMeasured() throws Exception {
    long before = run("1").peakMemoryBytes();
    long after = run("big = bytearray(50_000_000); del big").peakMemoryBytes();
    assertThat(before).isBetween(1_000_000L, 100_000_000L);
    assertThat(after - before).isGreaterThan(30_000_000L);
  }

  @Test
  void aForkedChildThatFallsOutOfTheCellRunsNothingMore() throws Exception {
    assertThat(shown("import os\npid = os.fork()\nif pid: os.waitpid(pid, 0)"))
        .isEqualTo(ExecutionText.NO_OUTPUT);
    assertThat(shown("print('once')")).isEqualTo("once\n");
  }

  @Test
  void closedStreamsAreOpenAgainForTheNextCell() throws Exception {
    run("import os, sys\nsys.stdout.close()\nos.close(2)");
    keepsTheStreamsApart();
  }

  @Test
  void anExceptionThatCantBeShownIsStillReported() throws Exception {
    ExecutionResult result =
        run("class E(Exception):\n  def __str__(self): raise SystemExit\nraise E");
    assertThat(result.error().orElseThrow().ename()).isEqualTo("E");
    assertThat(run("import sys; sys.exit(2)").error().orElseThrow().ename())
        .isEqualTo("SystemExit");
  }
}
