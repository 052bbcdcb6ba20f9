package io.runstone.sandbox;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What everything in one sandbox has used together; immutable. Without a control group nothing is
 * known and the counts are 0.
 *
 * @param cpuTime since its start, of living and ended processes
 * @param peakMemoryBytes the most memory since its start or the last reset, with what {@link
 *     ResourceLimits#memoryBytes} counts
 * @param memoryBytes memory now
 * @param oomKills processes killed because the memory limit was hit
 * @param refusedForks processes and threads not started because the process limit was hit
 */
public record ResourceUsage(
    Optional<Duration> cpuTime,
    OptionalLong peakMemoryBytes,
    OptionalLong memoryBytes,
    long oomKills,
    long refusedForks) {
  /** Nothing is known. */
  public static final ResourceUsage UNKNOWN =
      new ResourceUsage(Optional.empty(), OptionalLong.empty(), OptionalLong.empty(), 0, 0);
}
