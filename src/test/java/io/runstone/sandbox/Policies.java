package io.runstone.sandbox;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Values for tests of pure code; none of the paths exists. */
final class Policies {
  static final Interpreter SYSTEM =
      new Interpreter(Path.of("/usr/bin/python3"), List.of(), "3.11.2");
  static final Interpreter OWN =
      new Interpreter(Path.of("/opt/py/bin/python"), List.of(Path.of("/opt/py")), "3.13.0");
  static final HostFiles FILES =
      new HostFiles(
          Map.of(Path.of("/bin"), Path.of("usr/bin")),
          List.of(Path.of("/usr"), Path.of("/etc/fonts")),
          List.of(Path.of("/proc/sys")),
          List.of(Path.of("/proc/keys")),
          List.of(Path.of("/proc/acpi")));

  private Policies() {}

  static SandboxPolicy policy(Interpreter interpreter) {
    return new SandboxPolicy(
        interpreter,
        Path.of("/srv/runner"),
        Path.of("/srv/work"),
        Map.of("TZ", "UTC"),
        65536,
        ResourceLimits.NONE);
  }
}
