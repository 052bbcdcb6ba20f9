package io.runstone.kernel.local;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.runstone.kernel.ExecutionId;
import io.runstone.kernel.HostCalls;
import io.runstone.kernel.HostReply;
import io.runstone.kernel.Output;
import io.runstone.kernel.OutputBuffer;
import io.runstone.kernel.OutputListener;
import io.runstone.kernel.StreamFile;
import io.runstone.kernel.StreamName;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

    /**
     * The cell is to be interrupted.
     *
     * @param reason why, as in {@link io.runstone.kernel.Outcome.Interrupted}
     */
    record InterruptWanted(String reason) implements Event {}

    /** A call of the cell was answered; only the waiting thread writes to the kernel. */
    record Reply(long call, HostReply reply) implements Event {}

    /** The sandbox is gone. */
    record Exited() implements Event {}
  }

  final long number;
  final ExecutionId id;
  final CellCalls calls;
  private final OutputListener listener;
  private final OutputLimits limits;
  private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
  private final Object lock = new Object();

  @GuardedBy("lock") private final OutputBuffer buffer;

  /** Only the reader thread appends; it is done before the waiting thread looks. */
  private final Map<StreamName, StreamSpool> spools = new EnumMap<>(StreamName.class);

  private long total;
  private long richTotal;
  private boolean overflowed;

  RunningCell(
      long number, ExecutionId id, OutputListener listener, HostCalls host, OutputLimits limits) {
    this.number = number;
    this.id = id;
    this.listener = listener;
    this.limits = limits;
    this.calls = new CellCalls(host, (call, reply) -> events.add(new Event.Reply(call, reply)));
    this.buffer = new OutputBuffer(limits.keptCharacters());
    for (StreamName name : StreamName.values()) {
      spools.put(name, limits.spool(name));
    }
  }

  /** Takes text of a stream, on the reader thread. */
  void output(StreamName name, String text) {
    synchronized (lock) {
      buffer.append(name, text);
    }
    StreamSpool spool = spools.get(name);
    if (spool != null) {
      spool.append(text);
    }
    listener.onOutput(new Output.Stream(name, text));
    total += text.length();
    if (total > limits.maxCharacters()) {
      overflow(
          ", for it printed more than "
              + limits.maxCharacters()
              + " characters (runstone.outputs.max-chars)");
    }
  }

  /** Takes rich output, on the reader thread. */
  void rich(Output output) {
    long size = output.bundle().values().stream().mapToLong(String::length).sum();
    richTotal += size + 100;
    if (richTotal > limits.maxRichCharacters()) {
      overflow(
          ", for it displayed more than "
              + limits.maxRichCharacters()
              + " characters of rich output (runstone.outputs.max-rich-chars)");
      return;
    }
    synchronized (lock) {
      buffer.add(output);
    }
  }

  private void overflow(String reason) {
    if (!overflowed) {
      overflowed = true;
      signal(new Event.InterruptWanted(reason));
    }
  }

  List<Output> outputs() {
    synchronized (lock) {
      return buffer.outputs();
    }
  }

  /** Files of the streams that are longer than a result keeps; to be asked once, at the end. */
  List<StreamFile> files() {
    return spools.values().stream().map(StreamSpool::finish).flatMap(Optional::stream).toList();
  }

  void signal(Event event) {
    events.add(event);
  }

  /** Waits for the next event; null when the time is over. */
  @Nullable Event await(Duration patience) throws InterruptedException {
    return events.poll(Math.max(0, patience.toNanos()), TimeUnit.NANOSECONDS);
  }
}
