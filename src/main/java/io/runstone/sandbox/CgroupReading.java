package io.runstone.sandbox;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/** Turns the files of a control group into what was used; pure but for where the texts are from. */
final class CgroupReading {
  /** Reads a file of a control group. */
  interface Source {
    /** Its text, empty if there is none. */
    Optional<String> text(String controller, String file);
  }

  private CgroupReading() {}

  static ResourceUsage v2(Source source) {
    return new ResourceUsage(
        // Time used is told with and without the cpu controller.
        source
            .text(CgroupWrite.MEMORY, "cpu.stat")
            .flatMap(text -> field(text, "usage_usec"))
            .map(micros -> Duration.ofNanos(micros * 1000)),
        number(source.text(CgroupWrite.MEMORY, "memory.peak")),
        number(source.text(CgroupWrite.MEMORY, "memory.current")),
        count(source.text(CgroupWrite.MEMORY, "memory.events"), "oom_kill"),
        count(source.text(CgroupWrite.PIDS, "pids.events"), "max"));
  }

  static ResourceUsage v1(Source source) {
    OptionalLong nanos = number(source.text(CgroupWrite.CPU_TIME, "cpuacct.usage"));
    return new ResourceUsage(
        nanos.isPresent() ? Optional.of(Duration.ofNanos(nanos.orElseThrow())) : Optional.empty(),
        number(source.text(CgroupWrite.MEMORY, "memory.max_usage_in_bytes")),
        number(source.text(CgroupWrite.MEMORY, "memory.usage_in_bytes")),
        // Not failcnt: that also counts when giving up some cache was enough.
        count(source.text(CgroupWrite.MEMORY, "memory.oom_control"), "oom_kill"),
        count(source.text(CgroupWrite.PIDS, "pids.events"), "max"));
  }

  private static long count(Optional<String> text, String name) {
    return text.flatMap(lines -> field(lines, name)).orElse(0L);
  }

  private static Optional<Long> field(String text, String name) {
    return text.lines()
        .filter(line -> line.startsWith(name + " "))
        .map(line -> number(Optional.of(line.substring(name.length() + 1))))
        .filter(OptionalLong::isPresent)
        .map(OptionalLong::getAsLong)
        .findFirst();
  }

  private static OptionalLong number(Optional<String> text) {
    return text.map(String::strip)
        .filter(digits -> digits.matches("[0-9]{1,18}"))
        .map(digits -> OptionalLong.of(Long.parseLong(digits)))
        .orElse(OptionalLong.empty());
  }
}
