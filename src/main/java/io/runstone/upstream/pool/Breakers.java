package io.runstone.upstream.pool;

import io.runstone.security.UserId;
import io.runstone.upstream.ServerName;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/** The breakers of users and servers. Thread-safe. */
final class Breakers {
  private final Map<Way, CircuitBreaker> byWay = new ConcurrentHashMap<>();

  private record Way(UserId user, ServerName server) {}

  CircuitBreaker of(UserId user, ServerName server) {
    return byWay.computeIfAbsent(
        new Way(user, server),
        way -> new CircuitBreaker(() -> ThreadLocalRandom.current().nextDouble()));
  }

  /** Forgets those that let everything pass; a use that goes on ends in one nobody asks. */
  void forgetQuiet(long now) {
    byWay.values().removeIf(breaker -> breaker.isQuiet(now));
  }
}
