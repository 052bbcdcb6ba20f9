package io.runstone.upstream.pool;

import io.runstone.config.Settings;
import java.time.Duration;

/**
 * How many sessions are kept, and how long.
 *
 * @param total sessions of this server
 * @param perUser sessions of one user
 * @param perServer sessions with one upstream server
 * @param idle how long one may be unused
 */
public record PoolLimits(int total, int perUser, int perServer, Duration idle) {
  /** The configured ones. */
  public static PoolLimits of(Settings.Upstream settings) {
    return new PoolLimits(
        settings.maxSessions(),
        settings.sessionsPerUser(),
        settings.sessionsPerServer(),
        settings.idleTimeout());
  }
}
