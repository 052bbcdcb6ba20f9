package io.runstone.bench;

import java.util.Arrays;
import java.util.Locale;

/** Durations of one thing done many times. Not thread-safe. */
final class Samples {
  private final String name;
  private long[] nanos;
  private int count;

  Samples(String name, int size) {
    this.name = name;
    this.nanos = new long[size];
  }

  /** Something that takes time. */
  interface Work {
    void run() throws Exception;
  }

  /** Measures one run. */
  void measure(Work work) throws Exception {
    long start = System.nanoTime();
    work.run();
    long took = System.nanoTime() - start;
    if (count == nanos.length) {
      nanos = Arrays.copyOf(nanos, count * 2);
    }
    nanos[count++] = took;
  }

  /** The time in ms that this share of the runs did not exceed. */
  double percentile(double share) {
    long[] sorted = Arrays.copyOf(nanos, count);
    Arrays.sort(sorted);
    return sorted[Math.min(count - 1, (int) (count * share))] / 1e6;
  }

  /** A row of the table of results. */
  String row() {
    return String.format(
        Locale.ROOT,
        "| %s | %d | %.2f | %.2f | %.2f |",
        name,
        count,
        percentile(0),
        percentile(0.5),
        percentile(0.99));
  }
}
