package io.runstone.sandbox;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * Memory of a sandbox where no control group knows it: the sum over its process tree, of at most
 * {@value #MOST} processes. Stateless and thread-safe.
 *
 * <p>Files in the private file systems count only as far as they are mapped. Costs one look at
 * every process of the host, and for each process of the sandbox the time noted at each method.
 */
public final class ProcessMemory {
  private static final int MOST = 1024;
  // Every size that Linux has for Java's platforms; statm counts in pages.
  private static final long PAGE = 4096;

  private ProcessMemory() {}

  /**
   * Bytes in use, where what is shared by n processes counts as one n-th for each (PSS). Where the
   * kernel does not tell that of a process, its resident memory counts. Some 0.5 ms a process.
   *
   * @param pid the outermost process, see {@link SandboxProcess#pid}
   * @return 0 when it has ended
   */
  public static long sum(long pid) {
    return sum(pid, process -> proportional(process).orElseGet(() -> resident(process)));
  }

  /**
   * An upper bound of {@link #sum}, in which what is shared counts for each process (RSS). Some
   * 0.02 ms a process, so this is what to look at first.
   */
  public static long residentSum(long pid) {
    return sum(pid, ProcessMemory::resident);
  }

  private static long sum(long pid, ToLongFunction<Path> memory) {
    return ProcessHandle.of(pid).stream()
        .flatMap(outer -> Stream.concat(Stream.of(outer), outer.descendants()))
        .limit(MOST)
        .map(process -> Path.of("/proc", Long.toString(process.pid())))
        .mapToLong(memory)
        .sum();
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
