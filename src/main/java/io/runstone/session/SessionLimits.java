package io.runstone.session;

import java.time.Duration;

/**
 * The bounds that an administrator can change while the server runs; they apply to what comes
 * after.
 *
 * @param perUser named sessions of one user, at least 0
 * @param perNode kernels of this server, at least 0
 * @param idleTimeout how long a session may be unused
 * @param maxLifetime how old a session may get
 */
public record SessionLimits(int perUser, int perNode, Duration idleTimeout, Duration maxLifetime) {
  public SessionLimits {
    if (perUser < 0 || perNode < 0) {
      throw new IllegalArgumentException("a limit on sessions is 0 or more");
    }
    if (idleTimeout.toMillis() <= 0 || maxLifetime.toMillis() <= 0) {
      throw new IllegalArgumentException("a timeout is above zero");
    }
  }
}
