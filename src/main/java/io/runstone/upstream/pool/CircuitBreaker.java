package io.runstone.upstream.pool;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.runstone.concurrent.Causes;
import io.runstone.upstream.ServerName;
import io.runstone.upstream.UpstreamException;
import java.time.Duration;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Leaves a server alone for a while after it could not be reached several times in a row, for one
 * user: what one user's calls do to a connection is nothing that others should notice. Only trouble
 * on the way to the server counts. Thread-safe.
 */
final class CircuitBreaker {
  private static final int FAILURES = 3;
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final int DOUBLINGS = 4;

  private final DoubleSupplier random;
  private final Object lock = new Object();

  @GuardedBy("lock") private int failures;

  @GuardedBy("lock") private long openUntil;

  @GuardedBy("lock") private boolean trial;

  @GuardedBy("lock") private long lastFailure;

  @GuardedBy("lock") private int uses;

  /**
   * Creates one that lets everything pass.
   *
   * @param random from 0 to 1, so that not everybody comes back in the same moment
   */
  CircuitBreaker(DoubleSupplier random) {
    this.random = random;
  }

  /**
   * Lets a use of the server pass, which has to be told to {@link #ended}.
   *
   * @throws UpstreamException if it is left alone
   */
  void pass(ServerName server, long now) {
    synchronized (lock) {
      if (failures < FAILURES) {
        uses++;
        return;
      }
      long left = openUntil - now;
      if (left > 0 || trial) {
        throw new UpstreamException(
            UpstreamException.Kind.UNAVAILABLE,
            "%s could not be reached %d times in a row; it is tried again in %d s"
                .formatted(server, failures, Duration.ofNanos(Math.max(0, left)).toSeconds() + 1));
      }
      uses++;
      trial = true; // one shows whether it is back; the others wait for what that finds
    }
  }

  /** Hears how a use ended; without a failure if it is null. */
  void ended(@Nullable Throwable failure, long now) {
    synchronized (lock) {
      uses--;
      trial = false;
      if (isTransport(failure)) {
        if (failures >= FAILURES && now < openUntil) {
          return; // began before the pause did
        }
        failures++;
        lastFailure = now;
        if (failures >= FAILURES) {
          openUntil = now + pause(failures - FAILURES);
        }
      } else if (!saysNothing(failure)) {
        failures = 0;
      }
    }
  }

  private long pause(int doublings) {
    long whole = FIRST_PAUSE.toNanos() << Math.min(doublings, DOUBLINGS);
    return whole / 2 + (long) (whole / 2.0 * random.getAsDouble());
  }

  /** Whether nothing would be forgotten by forgetting it. */
  boolean isQuiet(long now) {
    synchronized (lock) {
      return uses == 0 && (failures == 0 || now - lastFailure > Duration.ofMinutes(10).toNanos());
    }
  }

  static boolean isTransport(@Nullable Throwable failure) {
    return failure != null
        && Causes.of(failure) instanceof UpstreamException upstream
        && upstream.isTransport();
  }

  /** A call that was given up says nothing of the way to the server. */
  private static boolean saysNothing(@Nullable Throwable failure) {
    if (failure == null) {
      return false;
    }
    return !(Causes.of(failure) instanceof UpstreamException upstream)
        || switch (upstream.kind()) {
          case TIMEOUT, CANCELLED, LIMIT, CONSENT_REQUIRED -> true;
          default -> false;
        };
  }
}
