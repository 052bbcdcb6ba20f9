package io.runstone.kernel.local;

import io.runstone.kernel.ExecuteRequest;
import io.runstone.kernel.ExecutionId;
import io.runstone.kernel.ExecutionResult;
import io.runstone.kernel.Kernel;
import io.runstone.kernel.KernelInfo;
import io.runstone.kernel.OutputListener;
import io.runstone.sandbox.ProcessMemory;
import io.runstone.sandbox.SandboxProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A supervisor in a sandbox, seen from the server.
 *
 * <p>Two threads meet here. The reader ({@link #readUntilExit}) takes every frame as it comes. The
 * session's thread ({@link #execute}) is the only one that writes, so no lock is held across I/O:
 * who wants an interrupt leaves an event for it. Thread-safe, with one executing thread at a time.
 */
final class LocalKernel implements Kernel {
  private static final System.Logger LOG = System.getLogger(LocalKernel.class.getName());

  /** How long a supervisor may need on top of the grace to report what it did. */
  private static final Duration ANSWER_MARGIN = Duration.ofSeconds(3);

  private final SandboxProcess process;
  private final Duration interruptGrace;
  private final OutputLimits output;
  private final CompletableFuture<String> ready = new CompletableFuture<>();
  private final CompletableFuture<Void> exited = new CompletableFuture<>();
  private volatile boolean hungUp;
  private final AtomicReference<@Nullable RunningCell> running = new AtomicReference<>();
  private final BackgroundOutput background = new BackgroundOutput();
  private volatile String python = "";

  /** The worker whose variables the caller knows of; only the executing thread sets it. */
  private volatile long knownWorker = 1;

  /** The newest worker; ahead of the known one when a worker died between cells. */
  private volatile long newestWorker = 1;

  private long cells;
  private volatile long knownOomKills;
  private volatile String endedFor = "";

  LocalKernel(SandboxProcess process, Duration interruptGrace, OutputLimits output) {
    this.process = process;
    this.interruptGrace = interruptGrace;
    this.output = output;
  }

  /** Completes with the interpreter's version when the first worker is there. */
  CompletionStage<String> ready() {
    return ready;
  }

  /** The reader's life: says what is wanted, then takes frames until the kernel ends. */
  void readUntilExit(Map<String, ?> settings) {
    try {
      Frames.write(process.input(), settings);
      while (true) {
        take(Frames.read(process.output()));
      }
    } catch (ProtocolException e) {
      LOG.log(
          System.Logger.Level.WARNING,
          "pid {0}: kernel ended, it sent {1}",
          process.pid(),
          e.getMessage());
    } catch (IOException e) {
      LOG.log(System.Logger.Level.DEBUG, "pid {0}: kernel ended", process.pid());
    } finally {
      hungUp = true;
      process.close();
      ready.completeExceptionally(new IOException("the kernel ended while starting"));
      process.onExit().whenComplete((status, failure) -> exited.complete(null));
      RunningCell cell = running.get();
      if (cell != null) {
        cell.signal(new RunningCell.Event.Exited());
      }
    }
  }

  private void take(KernelMessage message) {
    RunningCell cell = running.get();
    if (message instanceof KernelMessage.Ready started) {
      python = started.python();
      ready.complete(started.python());
    } else if (message instanceof KernelMessage.Stream stream) {
      if (stream.cell().isEmpty()) {
        background.append(stream.name(), stream.text());
      } else if (cell != null && stream.cell().orElseThrow() == cell.number) {
        cell.output(stream.name(), stream.text());
      }
    } else if (message instanceof KernelMessage.Rich rich) {
      if (cell != null && rich.cell() == cell.number) {
        cell.rich(rich.output());
      }
    } else if (message instanceof KernelMessage.HostCalled call) {
      if (cell != null && call.cell() == cell.number) {
        cell.calls.begin(call);
      }
    } else if (message instanceof KernelMessage.HostCalledOff call) {
      if (cell != null && call.cell() == cell.number) {
        cell.calls.callOff(call.call());
      }
    } else if (message instanceof KernelMessage.Done done) {
      signal(cell, done.cell(), message);
    } else if (message instanceof KernelMessage.Refused refused) {
      signal(cell, refused.cell(), message);
    } else if (message instanceof KernelMessage.WorkerGone gone) {
      newestWorker = gone.nextWorker();
      if (gone.cell().isPresent()) {
        signal(cell, gone.cell().orElseThrow(), message);
      }
    }
  }

  private static void signal(@Nullable RunningCell cell, long number, KernelMessage message) {
    if (cell != null && cell.number == number) {
      cell.signal(new RunningCell.Event.Ended(message));
    }
  }

  @Override
  public ExecutionResult execute(ExecuteRequest request, OutputListener listener)
      throws InterruptedException {
    CellResults results = new CellResults(request);
    if (hungUp) {
      return results.notStarted(hadEnded());
    }
    if (knownWorker != newestWorker) {
      knownWorker = newestWorker;
      return results.notStarted("The session's Python process had ended since the last execution");
    }
    RunningCell cell = new RunningCell(++cells, request.id(), listener, request.calls(), output);
    if (!running.compareAndSet(null, cell)) {
      throw new IllegalStateException("a kernel runs one cell at a time");
    }
    request
        .cancellation()
        .onCancel(reason -> cell.signal(new RunningCell.Event.InterruptWanted(reason)));
    try {
      return run(request, cell, results).withBackground(background.take());
    } catch (InterruptedException e) {
      close();
      throw e;
    } finally {
      running.set(null);
      cell.calls.endAll(", for the code that made it has ended");
    }
  }

  private ExecutionResult run(ExecuteRequest request, RunningCell cell, CellResults results)
      throws InterruptedException {
    if (hungUp) { // the reader may have ended before it could see this cell
      return results.notStarted(hadEnded());
    }
    if (!send(Commands.execute(cell.number, knownWorker, request))) {
      process.kill();
    }
    long deadline = System.nanoTime() + request.timeout().toNanos();
    while (true) {
      RunningCell.Event event = cell.await(Duration.ofNanos(deadline - System.nanoTime()));
      if (event instanceof RunningCell.Event.Reply reply) {
        send(Commands.reply(cell.number, reply.call(), reply.reply()));
        if (System.nanoTime() - deadline < 0) {
          continue;
        }
        event = null; // calls without end keep no cell from its timeout
      }
      if (event instanceof RunningCell.Event.Ended ended) {
        knownWorker = ended.message().worker().orElse(knownWorker);
        return results.ended(ended.message(), cell, this::ranOutOfMemory);
      } else if (event instanceof RunningCell.Event.Exited) {
        return results.exited(cell, endedFor);
      } else if (results.stopWanted()) {
        if (event == null) { // the supervisor itself does not answer
          process.kill();
          deadline = System.nanoTime() + ANSWER_MARGIN.toNanos();
        }
      } else {
        results.stop(event);
        deadline = System.nanoTime() + interruptGrace.plus(ANSWER_MARGIN).toNanos();
        if (!send(Commands.interrupt(cell.number, interruptGrace))) {
          process.kill();
        }
        // After the interrupt, so that Python sees that before the calls end.
        cell.calls.endAll(", for the code that made it was interrupted");
      }
    }
  }

  private String hadEnded() {
    return "The session's Python had ended before this code could run" + endedFor;
  }

  /** Whether the kernel's memory limit has killed a process since this was asked last. */
  private boolean ranOutOfMemory() {
    long before = knownOomKills;
    knownOomKills = process.usage().oomKills();
    return knownOomKills > before;
  }

  /** Sends a command; a kernel that can't be written to is ending, and the reader will see it. */
  private boolean send(Map<String, ?> command) {
    try {
      Frames.write(process.input(), command);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public boolean interrupt(ExecutionId id) {
    RunningCell cell = running.get();
    if (cell == null || !cell.id.equals(id)) {
      return false;
    }
    cell.signal(new RunningCell.Event.InterruptWanted(""));
    return true;
  }

  @Override
  public boolean isAlive() {
    return !hungUp && process.isAlive();
  }

  @Override
  public CompletionStage<Void> onExit() {
    return exited.minimalCompletionStage();
  }

  @Override
  public KernelInfo info() {
    return new KernelInfo(process.pid(), python);
  }

  @Override
  public long memoryBytes() {
    return ProcessMemory.now().sum(process.pid());
  }

  /**
   * Ends it because it uses more memory than it may; what runs in it is told so.
   *
   * @param reason added to a sentence that says that Python ended
   */
  void endForMemory(String reason) {
    endedFor = reason;
    process.kill();
  }

  /** The sandbox's own messages, for a kernel that did not start. */
  String diagnostics() {
    return process.diagnostics();
  }

  @Override
  public void close() {
    process.kill();
  }
}
