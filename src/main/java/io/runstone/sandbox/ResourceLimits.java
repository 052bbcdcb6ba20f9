package io.runstone.sandbox;

import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What everything in one sandbox may use together; immutable. In force where there is a control
 * group, see {@link SandboxLauncher#limits()}.
 *
 * @param memoryBytes memory of all processes, with files in the private file systems and with the
 *     cache of files read and written, which is given up before the limit hits; no limit if empty
 * @param processes processes and threads inside; no limit if empty
 * @param cpuWeight share of the processor when it is scarce, from 1 to 10000, in terms of cgroup
 *     v2, where 100 is the default
 */
public record ResourceLimits(OptionalLong memoryBytes, OptionalInt processes, int cpuWeight) {
  /** No limits, and the default share. */
  public static final ResourceLimits NONE =
      new ResourceLimits(OptionalLong.empty(), OptionalInt.empty(), 100);

  private static final long LEAST_MEMORY = 16L << 20;

  /**
   * Checks.
   *
   * @throws IllegalArgumentException if memory is below 16 MiB or the process count or weight is
   *     out of range
   */
  public ResourceLimits {
    if (memoryBytes.isPresent() && memoryBytes.orElseThrow() < LEAST_MEMORY) {
      throw new IllegalArgumentException("memoryBytes is at least " + LEAST_MEMORY);
    }
    if (processes.isPresent() && processes.orElseThrow() < 1) {
      throw new IllegalArgumentException("processes is at least 1");
    }
    if (cpuWeight < 1 || cpuWeight > 10_000) {
      throw new IllegalArgumentException("cpuWeight is from 1 to 10000, not " + cpuWeight);
    }
  }
}
