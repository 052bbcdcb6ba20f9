package io.runstone.kernel.local;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.runstone.kernel.Output;
import io.runstone.kernel.OutputBuffer;
import io.runstone.kernel.StreamName;
import java.util.List;

/** Collects what is written outside of any cell, until the next result takes it. Thread-safe. */
final class BackgroundOutput {
  private static final int KEPT_CHARACTERS = 64 * 1024;

  private final Object lock = new Object();

  @GuardedBy("lock") private OutputBuffer buffer = new OutputBuffer(KEPT_CHARACTERS);

  void append(StreamName name, String text) {
    synchronized (lock) {
      buffer.append(name, text);
    }
  }

  /** What there is; it is forgotten then. */
  List<Output.Stream> take() {
    OutputBuffer taken;
    synchronized (lock) {
      taken = buffer;
      buffer = new OutputBuffer(KEPT_CHARACTERS);
    }
    return taken.outputs().stream()
        .filter(Output.Stream.class::isInstance)
        .map(Output.Stream.class::cast)
        .toList();
  }
}
