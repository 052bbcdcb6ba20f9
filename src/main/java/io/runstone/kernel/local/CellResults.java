package io.runstone.kernel.local;

import io.runstone.kernel.ErrorInfo;
import io.runstone.kernel.ExecuteRequest;
import io.runstone.kernel.ExecutionResult;
import io.runstone.kernel.Outcome;
import io.runstone.kernel.Output;
import io.runstone.kernel.SessionState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides what to report of one cell, from what the supervisor said and from why it was asked to
 * stop. Used by one thread.
 */
final class CellResults {
  private static final Map<Long, String> SIGNALS =
      Map.of(
          4L, "SIGILL", 6L, "SIGABRT", 7L, "SIGBUS", 8L, "SIGFPE", 9L, "SIGKILL", 11L, "SIGSEGV",
          15L, "SIGTERM", 25L, "SIGXFSZ", 31L, "SIGSYS");

  /** Added to a sentence that says that Python ended. */
  static final String OUT_OF_MEMORY =
      ", for the kernel used more memory than it may (runstone.kernel.memory-bytes)";

  /** The same where it is all kernels of the user that together do. */
  static final String OUT_OF_USERS_MEMORY =
      ", for it was the largest of your kernels, which together used more memory than they may"
          + " (runstone.quota.memory-bytes)";

  private enum Stop {
    NOT_WANTED,
    TIMEOUT,
    INTERRUPT
  }

  private final ExecuteRequest request;
  private final long started = System.nanoTime();
  private Stop stop = Stop.NOT_WANTED;
  private String stopReason = "";

  CellResults(ExecuteRequest request) {
    this.request = request;
  }

  boolean stopWanted() {
    return stop != Stop.NOT_WANTED;
  }

  /** The cell is to be stopped: because its time is over, unless an event says otherwise. */
  void stop(RunningCell.@Nullable Event event) {
    if (event instanceof RunningCell.Event.InterruptWanted wanted) {
      stop = Stop.INTERRUPT;
      stopReason = wanted.reason();
    } else {
      stop = Stop.TIMEOUT;
    }
  }

  /** The cell was not given to Python. */
  ExecutionResult notStarted(String reason) {
    return new ExecutionResult(
        request.id(),
        new Outcome.KernelDied(reason + ". This code was not run", false),
        List.of(),
        List.of(),
        SessionState.LOST,
        Duration.ZERO,
        Duration.ZERO);
  }

  /**
   * The supervisor said how it ended.
   *
   * @param outOfMemory asked only when the worker is gone
   */
  ExecutionResult ended(KernelMessage message, RunningCell cell, BooleanSupplier outOfMemory) {
    if (message instanceof KernelMessage.Done done) {
      return done(done, cell);
    } else if (message instanceof KernelMessage.WorkerGone gone) {
      String limit = outOfMemory.getAsBoolean() ? OUT_OF_MEMORY : "";
      Outcome outcome =
          gone.killed() ? stopped() : new Outcome.KernelDied(reason(gone) + limit, true);
      return result(outcome, cell, cell.outputs(), SessionState.LOST, gone.cpuTime())
          .withPeakMemory(gone.peakMemory());
    }
    return notStarted("The session's Python process had ended since the last execution");
  }

  /**
   * The whole sandbox is gone.
   *
   * @param why what the server ended it for; empty if it did not, or was asked to
   */
  ExecutionResult exited(RunningCell cell, String why) {
    String reason = "The session's Python and its sandbox were ended" + why;
    Outcome outcome =
        stopWanted() && why.isEmpty() ? stopped() : new Outcome.KernelDied(reason, true);
    return result(outcome, cell, cell.outputs(), SessionState.LOST, Duration.ZERO);
  }

  private ExecutionResult done(KernelMessage.Done done, RunningCell cell) {
    List<Output> all = new ArrayList<>(cell.outputs());
    if (!done.value().isEmpty()) {
      all.add(new Output.ExecuteResult(done.value()));
    }
    return result(outcome(done), cell, all, SessionState.PRESERVED, done.cpuTime())
        .withPeakMemory(done.peakMemory());
  }

  private Outcome outcome(KernelMessage.Done done) {
    if (done.error().isEmpty()) {
      return new Outcome.Ok();
    }
    ErrorInfo error = done.error().orElseThrow();
    boolean obeyed = done.interruptRequested() && error.ename().equals("KeyboardInterrupt");
    return obeyed ? stopped() : new Outcome.Failed(error);
  }

  private Outcome stopped() {
    return stop == Stop.TIMEOUT
        ? new Outcome.TimedOut(request.timeout())
        : new Outcome.Interrupted(stopReason);
  }

  private ExecutionResult result(
      Outcome outcome,
      RunningCell cell,
      List<Output> outputs,
      SessionState state,
      Duration cpuTime) {
    Duration time = Duration.ofNanos(System.nanoTime() - started);
    return new ExecutionResult(request.id(), outcome, outputs, cell.files(), state, time, cpuTime);
  }

  private static String reason(KernelMessage.WorkerGone gone) {
    OptionalLong signal = gone.signal();
    if (signal.isPresent()) {
      String name = SIGNALS.getOrDefault(signal.orElseThrow(), "signal " + signal.orElseThrow());
      return "The Python process was ended by " + name;
    }
    return "The Python process ended itself with exit code " + gone.exit().orElse(-1);
  }
}
