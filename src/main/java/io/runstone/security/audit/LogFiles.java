package io.runstone.security.audit;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Where the files of a log lie: the one that is written, the rotated ones beside it with the number
 * of their last line behind the name, what a crash left, and the lock of the server that writes.
 * The last two have names that {@code audit.log*} does not match. Immutable.
 */
final class LogFiles {
  private static final System.Logger LOG = System.getLogger(LogFiles.class.getName());

  /** Parents may be those of workspaces too, which kernels of another user pass through. */
  private static final FileAttribute<Set<PosixFilePermission>> UNLISTED =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx--x--x"));

  private static final FileAttribute<Set<PosixFilePermission>> PRIVATE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private final Path directory;
  private final Path current;
  private final String name;

  LogFiles(Path current) {
    this.current = current;
    this.directory = Objects.requireNonNull(current.getParent(), "a file in a directory");
    this.name = String.valueOf(current.getFileName());
  }

  /** The file that is written. */
  Path current() {
    return current;
  }

  Path directory() {
    return directory;
  }

  /** The file for what a crash left behind the last whole line. */
  Path torn(long lastWhole) {
    return directory.resolve("torn-" + numbered(lastWhole));
  }

  private String numbered(long sequence) {
    return String.format(Locale.ROOT, "%s.%012d", name, sequence);
  }

  void createDirectory() throws IOException {
    Path parent = directory.getParent();
    if (parent != null) {
      Files.createDirectories(parent, UNLISTED);
    }
    Files.createDirectories(directory, PRIVATE);
  }

  /** The rotated files, oldest first. */
  List<Path> rotated() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> isRotated(String.valueOf(file.getFileName()))).sorted().toList();
    }
  }

  private boolean isRotated(String file) {
    return file.startsWith(name + ".") && file.substring(name.length() + 1).matches("[0-9]{12}");
  }

  /** Puts the file that was written aside. */
  void putAside(long lastSequence) throws IOException {
    Files.move(current, directory.resolve(numbered(lastSequence)));
  }

  /** Removes the oldest of the rotated files beyond so many. */
  void prune(int kept) throws IOException {
    List<Path> rotated = rotated();
    for (Path oldest : rotated.subList(0, Math.max(0, rotated.size() - kept))) {
      try {
        Files.delete(oldest);
      } catch (IOException e) { // no reason to stop; the next rotation tries again
        LOG.log(System.Logger.Level.WARNING, oldest + ": can't be removed", e);
      }
    }
  }

  /**
   * Takes the lock that keeps two servers from writing one chain; closing the channel, and the end
   * of the process, give it back.
   */
  FileChannel lock() throws IOException {
    FileChannel channel =
        FileChannel.open(
            directory.resolve("." + name + ".lock"),
            EnumSet.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
            AuditChannel.PRIVATE);
    try {
      FileLock lock = channel.tryLock();
      if (lock != null) {
        return channel;
      }
    } catch (OverlappingFileLockException e) { // another deployment in this very server
      LOG.log(System.Logger.Level.DEBUG, "locked by this process", e);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
    channel.close();
    throw new IOException(
        "another server writes " + current + "; give each its own runstone.audit.file");
  }
}
