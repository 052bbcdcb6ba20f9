package io.runstone.kernel.local;

import io.runstone.kernel.ErrorInfo;
import io.runstone.kernel.HostMethod;
import io.runstone.kernel.Output;
import io.runstone.kernel.StreamName;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a supervisor says. It comes from inside a sandbox, so nothing in it is trusted beyond its
 * type and bounds, which {@link Frames} has checked.
 */
sealed interface KernelMessage {
  /**
   * The number of the worker that is there now, if this message tells of another one than before.
   */
  default OptionalLong worker() {
    return OptionalLong.empty();
  }

  /** A worker is there and takes cells. */
  record Ready(String python) implements KernelMessage {}

  /**
   * Output.
   *
   * @param cell the cell it belongs to; empty for output between cells
   */
  record Stream(OptionalLong cell, StreamName name, String text) implements KernelMessage {}

  /** A cell ended in Python: without an error if there is none. */
  record Done(
      long cell,
      Map<String, String> value,
      Optional<ErrorInfo> error,
      boolean interruptRequested,
      Duration cpuTime,
      long peakMemory)
      implements KernelMessage {
    public Done {
      value = Map.copyOf(value);
    }
  }

  /** Something that is not text of a stream. */
  record Rich(long cell, Output output) implements KernelMessage {}

  /**
   * Code of a cell calls its host.
   *
   * @param call names the call among those of the worker
   * @param body JSON text
   */
  record HostCalled(long cell, long call, HostMethod method, String body)
      implements KernelMessage {}

  /** Code of a cell gave up a call. */
  record HostCalledOff(long cell, long call) implements KernelMessage {}

  /** A cell was not run, for the worker it was meant for had died. */
  record Refused(long cell, long nextWorker) implements KernelMessage {
    @Override
    public OptionalLong worker() {
      return OptionalLong.of(nextWorker);
    }
  }

  /**
   * The worker is gone, and with it all variables.
   *
   * @param cell the cell that was running, if any
   * @param killed whether the supervisor killed it because an interrupt had no effect
   * @param nextWorker the number of the worker that took its place
   */
  record WorkerGone(
      OptionalLong cell,
      boolean killed,
      OptionalLong signal,
      OptionalLong exit,
      Duration cpuTime,
      long peakMemory,
      long nextWorker)
      implements KernelMessage {
    @Override
    public OptionalLong worker() {
      return OptionalLong.of(nextWorker);
    }
  }
}
