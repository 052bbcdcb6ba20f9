package io.runstone.upstream.oauth;

import io.runstone.upstream.vault.Recent;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What waits for a browser to come back, under a random name that is good for once and for some
 * minutes. Bounded: the oldest go first. Thread-safe.
 */
public final class Pending<T> {
  private static final int MAX = 10_000;
  private static final Duration LIFE = Duration.ofMinutes(10);

  private final Clock clock;
  private final Recent<String, Waiting<T>> waiting = new Recent<>(MAX);

  private record Waiting<T>(T what, Instant until) {}

  /** Nothing waits yet. */
  public Pending(Clock clock) {
    this.clock = clock;
  }

  /** Has something wait under that name. */
  public void add(String name, T what) {
    waiting.put(name, new Waiting<>(what, clock.instant().plus(LIFE)));
  }

  /** Takes it; nobody else gets it again. */
  public Optional<T> take(String name) {
    return waiting
        .take(name)
        .filter(one -> clock.instant().isBefore(one.until()))
        .map(Waiting::what);
  }
}
