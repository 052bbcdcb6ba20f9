package io.runstone.sandbox;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * An environment variable by which a process of a start can be found when its parent is gone; not
 * seen by the program inside.
 *
 * <p>Needed because bwrap (seen in 0.8.0) forks its child, which then waits for its parent's word
 * without a parent-death signal: a bwrap killed in that moment leaves the child waiting for ever.
 *
 * @param value unique on this host
 */
record LaunchMark(String value) {
  static final String VARIABLE = "RUNSTONE_LAUNCH";

  private static final Logger LOG = System.getLogger(LaunchMark.class.getName());

  /** Kills the processes that carry it. */
  void killStrays() {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(Path.of("/proc"), "[1-9]*")) {
      for (Path entry : entries) {
        if (carriedBy(entry)) {
          pid(entry).flatMap(ProcessHandle::of).ifPresent(ProcessHandle::destroyForcibly);
        }
      }
    } catch (IOException e) {
      LOG.log(Level.WARNING, "cannot look for processes a killed start may have left", e);
    }
  }

  private boolean carriedBy(Path process) {
    try {
      String environment =
          new String(Files.readAllBytes(process.resolve("environ")), StandardCharsets.ISO_8859_1);
      return ("\0" + environment).contains("\0" + VARIABLE + "=" + value + "\0");
    } catch (IOException e) {
      return false; // ended in the meantime, or another user's
    }
  }

  private static Optional<Long> pid(Path process) {
    return Optional.ofNullable(process.getFileName()).map(name -> Long.valueOf(name.toString()));
  }
}
