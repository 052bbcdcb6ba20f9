package io.runstone.security;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * How many requests each user may send in a second. A user who was quiet may send as many at once
 * as in a second otherwise. Thread-safe.
 */
public final class RequestRate {
  private static final double SECOND = 1e9;

  /** Users who were quiet for long enough to be as good as new are dropped above so many. */
  private static final int SWEEP_ABOVE = 1000;

  private final int perSecond;
  private final LongSupplier nanoTime;
  private final Object lock = new Object();

  @GuardedBy("lock") private final Map<UserId, Bucket> buckets = new HashMap<>();

  private record Bucket(double left, long at) {}

  /**
   * Creates a rate.
   *
   * @param perSecond 0 for no bound
   */
  public RequestRate(int perSecond, LongSupplier nanoTime) {
    this.perSecond = perSecond;
    this.nanoTime = nanoTime;
  }

  /**
   * Counts a request.
   *
   * @return empty if it may go on; otherwise after what time the next may
   */
  public Optional<Duration> refuses(UserId user) {
    if (perSecond == 0) {
      return Optional.empty();
    }
    long now = nanoTime.getAsLong();
    synchronized (lock) {
      if (buckets.size() > SWEEP_ABOVE) {
        buckets.values().removeIf(bucket -> left(bucket, now) >= perSecond);
      }
      Bucket bucket = buckets.get(user);
      double left = bucket == null ? perSecond : left(bucket, now);
      if (left >= 1) {
        buckets.put(user, new Bucket(left - 1, now));
        return Optional.empty();
      }
      buckets.put(user, new Bucket(left, now));
      return Optional.of(Duration.ofNanos((long) ((1 - left) / perSecond * SECOND)));
    }
  }

  private double left(Bucket bucket, long now) {
    return Math.min(perSecond, bucket.left + (now - bucket.at) / SECOND * perSecond);
  }

  /** What to tell who sends more. */
  public String sentence() {
    return "you send more than "
        + perSecond
        + " requests a second (runstone.quota.requests-per-second); wait a second and try again";
  }

  /** Whole seconds for {@code Retry-After}. */
  public static String seconds(Duration wait) {
    return Long.toString(Math.max(1, wait.plusMillis(999).toSeconds()));
  }
}
