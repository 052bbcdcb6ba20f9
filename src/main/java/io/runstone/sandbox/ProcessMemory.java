package io.runstone.sandbox;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * Memory of sandboxes where no control group knows it: the sum over a process tree, of at most
 * {@value #MOST} processes, among those that ran when this was made. Immutable and thread-safe.
 *
 * <p>Files in the private file systems count only as far as they are mapped. Making one costs a
 * look at every process of the host, some 10 ms for a few hundred.
 */
public final class ProcessMemory {
  private static final int MOST = 1024;
  // Every size that Linux has for Java's platforms; statm counts in pages.
  private static final long PAGE = 4096;

  private final Map<Long, List<Long>> children;

  private ProcessMemory(Map<Long, List<Long>> children) {
    this.children = children;
  }

  /** Looks at what runs now. */
  public static ProcessMemory now() {
    Map<Long, List<Long>> children = new HashMap<>();
    try (Stream<ProcessHandle> all = ProcessHandle.allProcesses()) {
      all.forEach(
          process ->
              process
                  .parent()
                  .ifPresent(
                      parent ->
                          children
                              .computeIfAbsent(parent.pid(), pid -> new ArrayList<>())
                              .add(process.pid())));
    }
    return new ProcessMemory(children);
  }

  /**
   * Bytes in use, where what is shared by n processes counts as one n-th for each (PSS). Where the
   * kernel does not tell that of a process, its resident memory counts. Some 0.5 ms a process.
   *
   * @param pid the outermost process, see {@link SandboxProcess#pid}
   * @return 0 when it has ended
   */
  public long sum(long pid) {
    return sum(pid, process -> proportional(process).orElseGet(() -> resident(process)));
  }

  /**
   * An upper bound of {@link #sum}, in which what is shared counts for each process (RSS). Some
   * 0.02 ms a process, so this is what to look at first.
   */
  public long residentSum(long pid) {
    return sum(pid, ProcessMemory::resident);
  }

  private long sum(long pid, ToLongFunction<Path> memory) {
    Deque<Long> left = new ArrayDeque<>(List.of(pid));
    long sum = 0;
    for (int count = 0; count < MOST && !left.isEmpty(); count++) {
      long next = left.remove();
      sum += memory.applyAsLong(Path.of("/proc", Long.toString(next)));
      left.addAll(children.getOrDefault(next, List.of()));
    }
    return sum;
  }

  private static OptionalLong proportional(Path process) {
    return pss(text(process.resolve("smaps_rollup")));
  }

  private static long resident(Path process) {
    return resident(text(process.resolve("statm")));
  }

  /** Pure: from the text of {@code smaps_rollup}. */
  static OptionalLong pss(String rollup) {
    return rollup
        .lines()
        .filter(line -> line.startsWith("Pss:"))
        .map(line -> line.replaceAll("[^0-9]", ""))
        .filter(digits -> digits.matches("[0-9]{1,15}"))
        .mapToLong(digits -> Long.parseLong(digits) * 1024)
        .findFirst();
  }

  /** Pure: from the text of {@code statm}. */
  static long resident(String statm) {
    String[] fields = statm.strip().split(" ", -1);
    return fields.length > 1 && fields[1].matches("[0-9]{1,15}")
        ? Long.parseLong(fields[1]) * PAGE
        : 0;
  }

  private static String text(Path file) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.US_ASCII);
    } catch (IOException e) {
      return ""; // ended in the meantime, or not to be seen
    }
  }
}
