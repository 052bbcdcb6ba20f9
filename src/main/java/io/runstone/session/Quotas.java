package io.runstone.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.runstone.config.Settings;
import io.runstone.kernel.ExecutionResult;
import io.runstone.kernel.Output;
import io.runstone.security.UserId;
import io.runstone.session.SessionException.Category;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * What each user has used within an hour, which begins with the first use. What an execution uses
 * is known when it ends, so the last one may go beyond a quota; the next is refused. Thread-safe.
 */
final class Quotas {
  private static final Duration WINDOW = Duration.ofHours(1);

  /** Users whose hour is over are dropped when there are so many. */
  private static final int SWEEP_ABOVE = 1000;

  private final Settings.Quota limits;
  private final Clock clock;
  private final Object lock = new Object();

  @GuardedBy("lock") private final Map<UserId, Usage> users = new HashMap<>();

  private static final class Usage {
    final Instant end;
    long executions;
    long cpuNanos;
    long outputChars;

    Usage(Instant end) {
      this.end = end;
    }
  }

  Quotas(Settings.Quota limits, Clock clock) {
    this.limits = limits;
    this.clock = clock;
  }

  /**
   * Counts an execution that is to begin.
   *
   * @throws SessionException if the user has used up a quota
   */
  void begin(UserId user) {
    Instant now = clock.instant();
    synchronized (lock) {
      Usage usage = usage(user, now);
      long left = Math.max(1, Duration.between(now, usage.end).toSeconds());
      check(
          usage.executions, limits.executionsPerHour(), "executions", "executions-per-hour", left);
      check(
          usage.cpuNanos / 1_000_000_000,
          limits.cpuSecondsPerHour(),
          "CPU seconds",
          "cpu-seconds-per-hour",
          left);
      check(
          usage.outputChars,
          limits.outputCharsPerHour(),
          "characters of output",
          "output-chars-per-hour",
          left);
      usage.executions++;
    }
  }

  private static void check(long used, long limit, String what, String key, long secondsLeft) {
    if (limit > 0 && used >= limit) {
      throw new SessionException(
          Category.QUOTA,
          "you have used up your "
              + limit
              + " "
              + what
              + " an hour (runstone.quota."
              + key
              + "); try again in "
              + secondsLeft
              + " seconds",
          Duration.ofSeconds(secondsLeft));
    }
  }

  /** Adds what an execution has used. */
  void end(UserId user, ExecutionResult result) {
    Instant now = clock.instant();
    long chars = result.outputs().stream().mapToLong(Quotas::characters).sum();
    synchronized (lock) {
      Usage usage = usage(user, now);
      usage.cpuNanos += result.cpuTime().toNanos();
      usage.outputChars += chars;
    }
  }

  private static long characters(Output output) {
    return output instanceof Output.Stream stream
        ? stream.text().length()
        : output.bundle().values().stream().mapToLong(String::length).sum();
  }

  @GuardedBy("lock") private Usage usage(UserId user, Instant now) {
    if (users.size() > SWEEP_ABOVE) {
      users.values().removeIf(usage -> !usage.end.isAfter(now));
    }
    Usage known = users.get(user);
    if (known == null || !known.end.isAfter(now)) {
      known = new Usage(now.plus(WINDOW));
      users.put(user, known);
    }
    return known;
  }
}
