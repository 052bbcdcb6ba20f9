package io.runstone.security.audit;

import java.util.concurrent.TimeUnit;

/** Whether a writer can write, for those who must not wait to find out. Thread-safe. */
final class WriterHealth {
  /** A disk that takes longer is taken for one that does not work. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private static final long IDLE = Long.MIN_VALUE;

  private volatile boolean failed;
  private volatile long busySince = IDLE;

  /** An attempt begins. */
  void begin() {
    busySince = System.nanoTime();
  }

  /**
   * It has ended.
   *
   * @return whether that is a change
   */
  boolean end(boolean success) {
    busySince = IDLE;
    boolean change = failed == success;
    failed = !success;
    return change;
  }

  boolean isFailing() {
    long since = busySince;
    return failed || (since != IDLE && System.nanoTime() - since > PATIENCE_NANOS);
  }
}
