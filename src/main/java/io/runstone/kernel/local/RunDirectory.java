package io.runstone.kernel.local;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The private directory of one running server, below its data directory: the Python files of the
 * kernel and the sandbox's short-lived files. Made at start and removed at stop; what a killed
 * server left is removed by the next one. Immutable.
 */
final class RunDirectory implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(RunDirectory.class.getName());
  private static final String PREFIX = "server-";
  private static final int REMOVALS = 5;
  private static final List<String> PYTHON =
      List.of(
          "supervisor.py",
          "_runstone/__init__.py",
          "_runstone/display.py",
          "_runstone/framing.py",
          "_runstone/hostcalls.py",
          "_runstone/ipython_shell.py",
          "_runstone/matplotlib_backend.py",
          "_runstone/matplotlib_hook.py",
          "_runstone/replies.py",
          "_runstone/shell.py",
          "_runstone/supervise.py",
          "_runstone/system.py",
          "_runstone/trusted.py",
          "_runstone/usage.py",
          "_runstone/worker.py",
          "_runstone/upstreams/__init__.py",
          "_runstone/upstreams/errors.py",
          "_runstone/upstreams/module.py",
          "_runstone/upstreams/requests.py",
          "_runstone/upstreams/servers.py",
          "_runstone/upstreams/signatures.py",
          "_runstone/upstreams/tools.py",
          "_runstone/upstreams/values.py",
          "upstream.py");

  private static final FileAttribute<Set<PosixFilePermission>> PRIVATE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private final Path path;

  private RunDirectory(Path path) {
    this.path = path;
  }

  /** Makes the directory, which only this user can list, with the kernel's Python files in it. */
  static RunDirectory create(Path dataDirectory) throws IOException {
    Path parent = Files.createDirectories(dataDirectory.resolve("run"));
    removeAbandoned(parent);
    String prefix = PREFIX + ProcessHandle.current().pid() + "-";
    Path path =
        Files.createTempDirectory(
            parent,
            prefix,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx--x--x")));
    RunDirectory directory = new RunDirectory(path);
    Files.createDirectory(directory.outputs(), PRIVATE);
    for (String file : PYTHON) {
      directory.install(file);
    }
    return directory;
  }

  private void install(String file) throws IOException {
    Path target = runner().resolve(file);
    Path folder = Objects.requireNonNull(target.getParent());
    Files.createDirectories(folder);
    try (InputStream in = RunDirectory.class.getResourceAsStream("python/" + file)) {
      Files.copy(Objects.requireNonNull(in, file), target);
    }
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rw-r--r--"));
  }

  Path path() {
    return path;
  }

  /** The directory of files with whole streams. */
  Path outputs() {
    return path.resolve("outputs");
  }

  /** The directory of the kernel's Python files. */
  Path runner() {
    return path.resolve("runner");
  }

  @Override
  public void close() {
    remove(path);
  }

  private static void removeAbandoned(Path parent) throws IOException {
    List<Path> found;
    try (Stream<Path> entries = Files.list(parent)) {
      found = entries.toList();
    }
    found.stream().filter(RunDirectory::isAbandoned).forEach(RunDirectory::remove);
  }

  private static boolean isAbandoned(Path directory) {
    String name = String.valueOf(directory.getFileName());
    if (!name.startsWith(PREFIX)) {
      return false;
    }
    String pid = name.substring(PREFIX.length()).split("-", 2)[0];
    Optional<ProcessHandle> owner =
        pid.matches("[0-9]{1,10}") ? ProcessHandle.of(Long.parseLong(pid)) : Optional.empty();
    return owner.isEmpty();
  }

  /** Removes a tree in which others may still remove, or a last launch add, a file. */
  private static void remove(Path directory) {
    for (int attempt = 0; attempt < REMOVALS && Files.exists(directory); attempt++) {
      removeOnce(directory.toFile());
    }
    if (Files.exists(directory)) {
      LOG.log(System.Logger.Level.WARNING, "{0}: could not be removed", directory);
    }
  }

  /** With File, whose methods return what could not be done instead of ending the whole. */
  private static void removeOnce(File file) {
    File[] entries = Files.isSymbolicLink(file.toPath()) ? null : file.listFiles();
    if (entries != null) {
      for (File entry : entries) {
        removeOnce(entry);
      }
    }
    if (!file.delete()) {
      LOG.log(System.Logger.Level.DEBUG, "{0}: was not removed, or by another", file);
    }
  }
}
