package io.runstone.sandbox;

import java.nio.file.Path;

/** One step of building what a sandbox sees; the same list is rendered for both levels. */
sealed interface ViewStep {
  /** Where, as seen from inside. */
  Path at();

  /** A symbolic link. */
  record Link(Path at, Path target) implements ViewStep {}

  /** A host directory or file with all mounts in it, without set-user-id programs and devices. */
  record Bind(Path at, Path source, boolean writable) implements ViewStep {}

  /** An empty directory in memory; {@code bytes} 0 where it is made read-only afterwards. */
  record Memory(Path at, long bytes, String mode) implements ViewStep {}

  /** A small read-only file. */
  record Text(Path at, String content) implements ViewStep {}

  /** A new {@code /proc} of the sandbox's own processes. */
  record Processes(Path at) implements ViewStep {}

  /** The few devices that are harmless. */
  record Devices(Path at) implements ViewStep {}

  /** Makes the mount made before at this place read-only. */
  record Freeze(Path at) implements ViewStep {}
}
