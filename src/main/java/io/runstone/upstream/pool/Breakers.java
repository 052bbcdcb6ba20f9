package io.runstone.upstream.pool;

import io.runstone.security.UserId;
import io.runstone.upstream.ServerName;
import java.security.SecureRandom;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The breakers of users and servers. Thread-safe. */
final class Breakers {
  private final Map<Way, CircuitBreaker> byWay = new ConcurrentHashMap<>();

  private final SecureRandom random = new SecureRandom();

  private record Way(UserId user, ServerName server) {}

  CircuitBreaker of(UserId user, ServerName server) {
    return byWay.computeIfAbsent(
        new Way(user, server), way -> new CircuitBreaker(() -> random.nextDouble()));
  }

  /** Forgets those that let everything pass; a use that goes on ends in one nobody asks. */
  void forgetQuiet(long now) {
    byWay.values().removeIf(breaker -> breaker.isQuiet(now));
  }
}
