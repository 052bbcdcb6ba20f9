package io.runstone.sandbox;

import java.nio.file.Path;
import java.util.List;

/**
 * A Python that was run and can be used in a sandbox; immutable.
 *
 * @param executable absolute path of the program, seen inside at the same path; in a virtual
 *     environment that is the environment's own link, which must not be resolved
 * @param prefixes absolute directories that have to be visible for it to run, without duplicates
 * @param version such as {@code 3.11.2}
 */
public record Interpreter(Path executable, List<Path> prefixes, String version) {
  /**
   * Checks and copies.
   *
   * @throws IllegalArgumentException if a path is not absolute
   */
  public Interpreter {
    prefixes = List.copyOf(prefixes);
    if (!executable.isAbsolute() || !prefixes.stream().allMatch(Path::isAbsolute)) {
      throw new IllegalArgumentException("paths of an interpreter are absolute: " + executable);
    }
  }
}
