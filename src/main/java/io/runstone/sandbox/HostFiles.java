package io.runstone.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Which of the system's places exist on this host; immutable.
 *
 * @param links the top level links into {@code /usr}, with their targets
 * @param readable places shown read-only
 * @param readOnlyProc places in {@code /proc} that are shown read-only: as the sandbox's user owns
 *     nothing there they could not be written anyway, this is a second lock
 * @param hiddenProcFiles files in {@code /proc} that tell too much about the host
 * @param hiddenProcDirectories directories in {@code /proc} that tell too much about the host
 */
record HostFiles(
    Map<Path, Path> links,
    List<Path> readable,
    List<Path> readOnlyProc,
    List<Path> hiddenProcFiles,
    List<Path> hiddenProcDirectories) {
  private static final List<String> TOP = List.of("bin", "sbin", "lib", "lib32", "lib64", "libx32");
  // Debian's numpy finds its BLAS through /etc/alternatives.
  private static final List<String> ETC =
      List.of("ld.so.cache", "localtime", "ssl/certs", "fonts", "matplotlibrc", "alternatives");
  private static final List<String> READ_ONLY_PROC =
      List.of("sys", "sysrq-trigger", "irq", "bus", "fs");
  // Those that Docker and Podman mask, and what else tells of the whole machine.
  private static final List<String> HIDDEN_PROC =
      List.of(
          "acpi",
          "asound",
          "config.gz",
          "interrupts",
          "kallsyms",
          "kcore",
          "key-users",
          "keys",
          "kmsg",
          "latency_stats",
          "pagetypeinfo",
          "sched_debug",
          "scsi",
          "slabinfo",
          "timer_list",
          "timer_stats",
          "vmallocinfo");

  HostFiles {
    links = Map.copyOf(links);
    readable = List.copyOf(readable);
    readOnlyProc = List.copyOf(readOnlyProc);
    hiddenProcFiles = List.copyOf(hiddenProcFiles);
    hiddenProcDirectories = List.copyOf(hiddenProcDirectories);
  }

  /**
   * Looks.
   *
   * @throws IOException if a link cannot be read
   */
  static HostFiles look() throws IOException {
    Map<Path, Path> links = new LinkedHashMap<>();
    List<Path> readable = new ArrayList<>();
    readable.add(SandboxView.SYSTEM);
    for (String name : TOP) {
      Path path = Path.of("/", name);
      if (Files.isSymbolicLink(path)) {
        links.put(path, Files.readSymbolicLink(path));
      } else if (Files.isDirectory(path)) {
        readable.add(path);
      }
    }
    readable.addAll(existing(Path.of("/etc"), ETC));
    List<Path> hidden = existing(Path.of("/proc"), HIDDEN_PROC);
    return new HostFiles(
        links,
        readable,
        existing(Path.of("/proc"), READ_ONLY_PROC),
        hidden.stream().filter(path -> !Files.isDirectory(path)).toList(),
        hidden.stream().filter(Files::isDirectory).toList());
  }

  private static List<Path> existing(Path directory, List<String> names) {
    return names.stream().map(directory::resolve).filter(Files::exists).toList();
  }
}
