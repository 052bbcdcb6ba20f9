package io.runstone.sandbox;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** Looks at all processes of this host. */
final class HostProcesses {
  private HostProcesses() {}

  /** Process ids of those with a text in their command line. */
  static List<String> with(String mark) {
    return having("cmdline", mark);
  }

  /** Process ids of those with a text in their environment, as far as it can be read. */
  static List<String> withEnvironment(String mark) {
    return having("environ", mark);
  }

  private static List<String> having(String file, String mark) {
    try (Stream<Path> entries = Files.list(Path.of("/proc"))) {
      return entries
          .map(entry -> String.valueOf(entry.getFileName()))
          .filter(name -> name.matches("\\d+"))
          .filter(name -> text(name, file).contains(mark))
          .toList();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String text(String pid, String file) {
    try {
      byte[] bytes = Files.readAllBytes(Path.of("/proc", pid, file));
      return new String(bytes, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return ""; // ended in the meantime, or not ours
    }
  }

  /** Whether a condition comes true in time. */
  static boolean within(Duration time, BooleanSupplier condition) {
    long end = System.nanoTime() + time.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        return false;
      }
      LockSupport.parkNanos(1_000_000);
    }
    return true;
  }
}
