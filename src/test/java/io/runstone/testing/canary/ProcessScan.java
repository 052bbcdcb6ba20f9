package io.runstone.testing.canary;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Looks for canaries in processes of this host. Immutable. */
public final class ProcessScan {
  private static final Pattern REGION =
      Pattern.compile("(?m)^([0-9a-f]+)-([0-9a-f]+) r.*?((?:\\[|/).*)?$");
  private static final int BLOCK = 1 << 20;

  /** As much of one block as the next repeats; more than any canary has. */
  private static final int OVERLAP = 256;

  private final Scan scan;

  /** Looks for what a scan looks for. */
  public ProcessScan(Scan scan) {
    this.scan = scan;
  }

  /** Whether this process may read everything of every other. */
  public static boolean isRoot() throws IOException {
    return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
  }

  /**
   * What is in the files of a process that tell about it. Those of a supervisor, which is not
   * dumpable, are for root only, but for the command line.
   */
  public Set<String> told(ProcessHandle process) throws IOException {
    Set<String> found =
        new TreeSet<>(named(process, "cmdline", scan.text(read(process, "cmdline"))));
    try {
      for (String name : new String[] {"environ", "maps"}) {
        found.addAll(named(process, name, scan.text(read(process, name))));
      }
    } catch (AccessDeniedException e) {
      if (isRoot()) {
        throw e;
      }
    }
    return found;
  }

  /** What is in the memory of a process. */
  public Set<String> memory(ProcessHandle process) throws IOException {
    Set<String> found = new TreeSet<>();
    String maps = read(process, "maps");
    try (RandomAccessFile memory = new RandomAccessFile("/proc/" + process.pid() + "/mem", "r")) {
      for (MatchResult region : (Iterable<MatchResult>) REGION.matcher(maps).results()::iterator) {
        if (region.group(3) == null || !region.group(3).startsWith("[v")) {
          long from = Long.parseUnsignedLong(region.group(1), 16);
          region(memory, from, Long.parseUnsignedLong(region.group(2), 16), found);
        }
      }
    }
    return named(process, "mem", found);
  }

  private void region(RandomAccessFile memory, long from, long to, Set<String> found) {
    byte[] block = new byte[BLOCK];
    for (long at = from; at < to; at += BLOCK - OVERLAP) {
      try {
        memory.seek(at);
        int read = memory.read(block, 0, (int) Math.min(BLOCK, to - at));
        if (read > 0) {
          found.addAll(scan.bytes(block, read));
        }
      } catch (IOException e) {
        return; // a page that is not there, such as past the end of a mapped file
      }
    }
  }

  private static String read(ProcessHandle process, String name) throws IOException {
    return Files.readString(
        Path.of("/proc/" + process.pid() + "/" + name), StandardCharsets.ISO_8859_1);
  }

  private static Set<String> named(ProcessHandle process, String file, Set<String> found) {
    Set<String> named = new TreeSet<>();
    found.forEach(says -> named.add("process " + process.pid() + ", " + file + ": " + says));
    return named;
  }
}
