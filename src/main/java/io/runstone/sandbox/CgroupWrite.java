package io.runstone.sandbox;

import java.util.ArrayList;
import java.util.List;

/**
 * A value for a file of a control group; the factories are pure.
 *
 * @param controller whose group
 * @param file its name
 * @param value what to write
 * @param optional whether a kernel may lack the file
 */
record CgroupWrite(String controller, String file, String value, boolean optional) {
  static final String MEMORY = "memory";
  static final String PIDS = "pids";
  static final String CPU = "cpu";
  static final String CPU_TIME = "cpuacct";

  // bwrap or launcher.py, which waits for the program.
  private static final int OUTER_PROCESSES = 1;

  /** Limits in terms of cgroup v2: Documentation/admin-guide/cgroup-v2.rst of Linux. */
  static List<CgroupWrite> v2(ResourceLimits limits) {
    List<CgroupWrite> writes = new ArrayList<>();
    limits
        .memoryBytes()
        .ifPresent(
            bytes -> {
              writes.add(required(MEMORY, "memory.max", bytes));
              // Otherwise the limit would only move memory to the disk, for everyone to wait.
              writes.add(optional(MEMORY, "memory.swap.max", 0));
              // The supervisor outlives the worker, so that it can tell what happened.
              writes.add(optional(MEMORY, "memory.oom.group", 0));
            });
    limits
        .processes()
        .ifPresent(count -> writes.add(required(PIDS, "pids.max", count + OUTER_PROCESSES)));
    writes.add(required(CPU, "cpu.weight", limits.cpuWeight()));
    return List.copyOf(writes);
  }

  /** Limits in terms of cgroup v1: Documentation/admin-guide/cgroup-v1 of Linux. */
  static List<CgroupWrite> v1(ResourceLimits limits) {
    List<CgroupWrite> writes = new ArrayList<>();
    limits
        .memoryBytes()
        .ifPresent(
            bytes -> {
              writes.add(required(MEMORY, "memory.limit_in_bytes", bytes));
              // Memory and swap together; may not be below the former, so it comes after it.
              writes.add(optional(MEMORY, "memory.memsw.limit_in_bytes", bytes));
            });
    limits
        .processes()
        .ifPresent(count -> writes.add(required(PIDS, "pids.max", count + OUTER_PROCESSES)));
    // 1024 shares are what a weight of 100 is.
    writes.add(required(CPU, "cpu.shares", Math.max(2, limits.cpuWeight() * 1024L / 100)));
    return List.copyOf(writes);
  }

  private static CgroupWrite required(String controller, String file, long value) {
    return new CgroupWrite(controller, file, Long.toString(value), false);
  }

  private static CgroupWrite optional(String controller, String file, long value) {
    return new CgroupWrite(controller, file, Long.toString(value), true);
  }
}
