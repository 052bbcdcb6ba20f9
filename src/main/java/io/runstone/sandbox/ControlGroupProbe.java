package io.runstone.sandbox;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Finds the control groups that work here by making one, putting a shell in it and removing it.
 * Stateless; leaves nothing behind.
 */
final class ControlGroupProbe {
  private static final ResourceLimits LIMITS =
      new ResourceLimits(OptionalLong.of(64L << 20), OptionalInt.of(8), 100);
  private static final List<String> V1 =
      List.of(CgroupWrite.MEMORY, CgroupWrite.PIDS, CgroupWrite.CPU, CgroupWrite.CPU_TIME);
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final Duration REMOVAL = Duration.ofMillis(200);
  private static final String LOOK =
      "while read -r line; do echo \"$line\"; done </proc/self/cgroup";
  private static final String CURE =
      "to limit the memory of whole kernels run the server in a control group of its own: in a"
          + " systemd unit with Delegate=yes, in a container with a writable /sys/fs/cgroup";

  private ControlGroupProbe() {}

  /** Tries version 2, then 1. Takes some milliseconds; never fails. */
  static ControlGroups find(SandboxHost host) {
    CgroupPlaces places;
    try {
      places = CgroupPlaces.ofThisProcess();
    } catch (IOException e) {
      return ControlGroups.none("control groups cannot be found: " + e, Optional.empty());
    }
    List<String> failures = new ArrayList<>();
    for (LimitLevel level : List.of(LimitLevel.CGROUP_V2, LimitLevel.CGROUP_V1)) {
      try {
        Map<String, Path> bases =
            level == LimitLevel.CGROUP_V2 ? unified(places) : controllers(places);
        ControlGroups groups = new ControlGroups(works(level, bases), bases);
        check(groups, host);
        return groups;
      } catch (IOException e) {
        failures.add(level.label() + ": " + e.getMessage());
      }
    }
    return ControlGroups.none(String.join("; ", failures), Optional.of(CURE));
  }

  private static LimitStatus works(LimitLevel level, Map<String, Path> bases) {
    List<String> lacking =
        V1.subList(0, 3).stream().filter(controller -> !bases.containsKey(controller)).toList();
    String detail = level.label() + ": limits of whole sandboxes were checked";
    return lacking.isEmpty()
        ? new LimitStatus(level, detail, Optional.empty())
        : new LimitStatus(
            level,
            detail + ", without " + String.join(", ", lacking),
            Optional.of("let the server have the controllers " + String.join(", ", lacking)));
  }

  private static Map<String, Path> unified(CgroupPlaces places) throws IOException {
    Path own = places.unified().orElseThrow(() -> new IOException("is not mounted"));
    UnifiedHierarchy.Base base = UnifiedHierarchy.prepare(own);
    Map<String, Path> bases = new LinkedHashMap<>();
    base.controllers().forEach(controller -> bases.put(controller, base.directory()));
    return bases;
  }

  private static Map<String, Path> controllers(CgroupPlaces places) throws IOException {
    Map<String, Path> bases = new LinkedHashMap<>();
    for (String controller : V1) {
      Path own = places.controllers().get(controller);
      if (own != null && Files.isWritable(own)) {
        bases.put(controller, own);
      }
    }
    if (!bases.containsKey(CgroupWrite.MEMORY)) {
      throw new IOException(
          places.controllers().containsKey(CgroupWrite.MEMORY)
              ? "the server's memory group is not writable for the server"
              : "is not mounted");
    }
    return bases;
  }

  private static void check(ControlGroups groups, SandboxHost host) throws IOException {
    Path shell = host.which("sh").orElseThrow(() -> new IOException("there is no shell"));
    ControlGroup group = groups.create(LIMITS).orElseThrow();
    try {
      String name = group.name();
      String seen = run(LaunchCommand.joined(shell, group.entrances(), LOOK));
      long joined = seen.lines().filter(line -> line.endsWith("/" + name)).count();
      if (joined < group.entrances().size()) {
        throw new IOException("a process cannot join a group of the server: " + seen.strip());
      }
    } finally {
      long end = System.nanoTime() + REMOVAL.toNanos();
      while (!group.remove() && System.nanoTime() < end) {
        LockSupport.parkNanos(1_000_000);
      }
    }
  }

  private static String run(List<String> words) throws IOException {
    Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
    try {
      if (!process.waitFor(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new IOException("no answer within " + TIMEOUT.toSeconds() + " s");
      }
      return new String(process.getInputStream().readNBytes(4096), StandardCharsets.UTF_8);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      process.destroyForcibly();
    }
  }
}
