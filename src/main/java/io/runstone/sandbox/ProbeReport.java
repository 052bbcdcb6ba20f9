package io.runstone.sandbox;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What {@code probe.py} told from inside; immutable.
 *
 * @param facts its lines
 */
record ProbeReport(Map<String, String> facts) {
  ProbeReport {
    facts = Map.copyOf(facts);
  }

  /** Reads lines of {@code name=value}; others are ignored. */
  static ProbeReport parse(String text) {
    return new ProbeReport(
        text.lines()
            .map(line -> line.split("=", 2))
            .filter(pair -> pair.length == 2)
            .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1], (first, next) -> next)));
  }

  /** What is not as it has to be at a level; empty when all is. */
  List<String> complaints(SandboxLevel level) {
    List<String> complaints = new ArrayList<>();
    require(complaints, fact("uid").matches("[1-9][0-9]*"), "the program runs as root");
    require(complaints, fact("no_new_privs").equals("1"), "new privileges are possible");
    require(complaints, fact("shadow_readable").equals("no"), "/etc/shadow is readable");
    require(complaints, fact("workspace_writable").equals("yes"), "the workspace is not writable");
    if (level != SandboxLevel.NONE) {
      require(complaints, fact("pid").equals("1"), "processes of the host are visible");
      require(complaints, fact("uid").equals("1000"), "the user is not the sandbox's");
      require(complaints, fact("capabilities").matches("0+"), "the program has kept capabilities");
      require(complaints, fact("seccomp").equals("2"), "no system call filter is active");
      require(complaints, fact("settings_writable").equals("no"), "/proc/sys is writable");
      require(
          complaints,
          fact("settings_mounted_read_only").equals("yes"),
          "/proc/sys is not mounted read-only");
      require(
          complaints,
          facts.containsKey("interfaces") && Set.of("", "lo").contains(fact("interfaces")),
          "there is a network: " + fact("interfaces"));
    }
    return complaints;
  }

  private String fact(String name) {
    return facts.getOrDefault(name, "unknown");
  }

  private static void require(List<String> complaints, boolean holds, String complaint) {
    if (!holds) {
      complaints.add(complaint);
    }
  }
}
