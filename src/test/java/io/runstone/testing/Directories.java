package io.runstone.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** Directories of programs that are no tests, and so have no {@code @TempDir}. */
public final class Directories {
  private Directories() {}

  /** Deletes a directory with what is in it by now; links in it are not followed. */
  public static void delete(Path directory) throws IOException {
    try (Stream<Path> entries = Files.walk(directory)) {
      for (Path entry : entries.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(entry);
      }
    }
  }
}
