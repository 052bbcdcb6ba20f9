package io.runstone.upstream.credential;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whether a request that was refused is to be sent once more: only with another token than the one
 * that was refused, and not again after that. Thread-safe.
 */
final class OneRetry {
  private final Object lock = new Object();

  @GuardedBy("lock") private @Nullable String last;

  @GuardedBy("lock") private @Nullable String refused;

  /** A token goes out. */
  void sent(String token) {
    synchronized (lock) {
      last = token;
    }
  }

  boolean wasSent(String token) {
    synchronized (lock) {
      return token.equals(last);
    }
  }

  /**
   * The server refused what was sent last.
   *
   * @param current the token that would go out now, if one is kept
   */
  boolean isWorthIt(Optional<String> current) {
    synchronized (lock) {
      if (last == null) {
        return false;
      }
      boolean first =
          refused == null || (refused.equals(last) && !current.equals(Optional.of(last)));
      refused = last;
      return first;
    }
  }
}
