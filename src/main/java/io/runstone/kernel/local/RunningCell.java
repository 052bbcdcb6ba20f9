package io.runstone.kernel.local;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.runstone.kernel.ExecutionId;
import io.runstone.kernel.Output;
import io.runstone.kernel.OutputBuffer;
import io.runstone.kernel.OutputListener;
import io.runstone.kernel.StreamName;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The cell that a kernel is running: where the reader thread puts what comes, and the session's
 * thread waits for it. Thread-safe.
 */
final class RunningCell {
  /** What the waiting thread has to act on. */
  sealed interface Event {
    /** Python says that the cell ended, or that it died under it. */
    record Ended(KernelMessage message) implements Event {}

    /** Somebody wants the cell interrupted. */
    record InterruptWanted() implements Event {}

    /** The sandbox is gone. */
    record Exited() implements Event {}
  }

  final long number;
  final ExecutionId id;
  private final OutputListener listener;
  private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
  private final Object lock = new Object();

  @GuardedBy("lock") private final OutputBuffer buffer;

  RunningCell(long number, ExecutionId id, OutputListener listener, int keptCharacters) {
    this.number = number;
    this.id = id;
    this.listener = listener;
    this.buffer = new OutputBuffer(keptCharacters);
  }

  void output(StreamName name, String text) {
    synchronized (lock) {
      buffer.append(name, text);
    }
    listener.onOutput(new Output.Stream(name, text));
  }

  List<Output> outputs() {
    synchronized (lock) {
      return buffer.outputs();
    }
  }

  void signal(Event event) {
    events.add(event);
  }

  /** Waits for the next event; null when the time is over. */
  @Nullable Event await(Duration patience) throws InterruptedException {
    return events.poll(Math.max(0, patience.toNanos()), TimeUnit.NANOSECONDS);
  }
}
