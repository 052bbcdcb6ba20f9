package io.runstone.kernel.local;

import io.runstone.config.Settings;
import io.runstone.kernel.ExecuteRequest;
import java.time.Duration;
import java.util.Map;

/** The messages that a supervisor understands. Pure. */
final class Commands {
  private Commands() {}

  /** The first message: what kernel this is to be. */
  static Map<String, ?> settings(Settings.Kernel kernel, boolean pidNamespace) {
    return Map.of(
        "type",
        "init",
        "pid_namespace",
        pidNamespace,
        "shell",
        kernel.shell(),
        "preload",
        kernel.preload(),
        "limits",
        Map.of(
            "address_space", kernel.addressSpaceBytes(),
            "processes", kernel.processes(),
            "open_files", kernel.openFiles(),
            "file_bytes", kernel.fileBytes(),
            "core", 0));
  }

  /** Run a cell, if that worker is still the one. */
  static Map<String, ?> execute(long cell, long worker, ExecuteRequest request) {
    return Map.of(
        "type",
        "execute",
        "id",
        cell,
        "worker",
        worker,
        "code",
        request.code(),
        "may_write",
        request.mayWrite());
  }

  /** Interrupt a cell, if it still runs, and kill it after the grace. */
  static Map<String, ?> interrupt(long cell, Duration grace) {
    return Map.of("type", "interrupt", "id", cell, "grace_seconds", grace.toMillis() / 1000.0);
  }
}
