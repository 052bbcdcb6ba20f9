package io.runstone.workspace;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.FileVisitor;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How much a workspace holds; immutable. Workspaces are written by programs that may be hostile and
 * may be running: links are not followed, what vanishes is no error, and the work is bounded.
 *
 * @param bytes space of all files and directories, each rounded up to {@value #BLOCK}; a file with
 *     holes counts as if it had none and a file with several names counts for each of them, as Java
 *     cannot ask for more without starting a program
 * @param entries files and directories counted
 * @param complete whether all were; if not there are more than was allowed, more than {@value
 *     #DEPTH} levels, or directories the server cannot read
 */
public record WorkspaceUsage(long bytes, int entries, boolean complete) {
  private static final long BLOCK = 4096;
  // Each level holds one of the server's file descriptors open.
  private static final int DEPTH = 64;

  /**
   * Measures; some 5 µs an entry.
   *
   * @param workspace a directory
   * @param maxEntries how many to count at most
   * @throws IOException if it is no directory or cannot be read at all
   */
  public static WorkspaceUsage measure(Path workspace, int maxEntries) throws IOException {
    if (!Files.readAttributes(workspace, BasicFileAttributes.class).isDirectory()) {
      throw new IOException("not a directory: " + workspace);
    }
    Counter counter = new Counter(maxEntries);
    Files.walkFileTree(workspace, Set.of(), DEPTH, counter);
    return new WorkspaceUsage(counter.bytes, counter.entries, counter.complete);
  }

  /**
   * What is left for the server's user on the file system of a path.
   *
   * @throws IOException if it does not exist
   */
  public static long freeBytes(Path path) throws IOException {
    long free = path.toFile().getUsableSpace();
    if (free == 0 && !Files.exists(path)) {
      throw new NoSuchFileException(path.toString());
    }
    return free;
  }

  /** Counts; confined to one walk. */
  private static final class Counter implements FileVisitor<Path> {
    private final int maxEntries;
    private long bytes;
    private int entries;
    private boolean complete = true;

    private Counter(int maxEntries) {
      this.maxEntries = maxEntries;
    }

    private FileVisitResult count(BasicFileAttributes attributes) {
      if (entries == maxEntries) {
        complete = false;
        return FileVisitResult.TERMINATE;
      }
      entries++;
      bytes += Math.max(1, (attributes.size() + BLOCK - 1) / BLOCK) * BLOCK;
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
      return count(attributes);
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      if (attributes.isDirectory()) { // one at the last level, not entered
        complete = false;
      }
      return count(attributes);
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException failure) {
      if (!(failure instanceof NoSuchFileException)) {
        complete = false;
      }
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure) {
      complete &= failure == null;
      return FileVisitResult.CONTINUE;
    }
  }
}
