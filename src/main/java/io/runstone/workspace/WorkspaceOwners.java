package io.runstone.workspace;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Gives each workspace a user id of its own out of a range, and remembers it: a file per id, with
 * the workspace's name in it. Whoever makes the file has the id, so no lock is needed, and several
 * servers on one data directory agree. Stateless and thread-safe.
 */
final class WorkspaceOwners {
  private final Path directory;
  private final long first;
  private final int count;

  /**
   * Creates the service.
   *
   * @param directory where the files lie; made when it is needed
   * @param first the first id of the range
   * @param count how many there are
   */
  WorkspaceOwners(Path directory, long first, int count) {
    this.directory = directory;
    this.first = first;
    this.count = count;
  }

  /**
   * Returns the id of a workspace, the same every time.
   *
   * @throws IOException if all ids are taken, or they can't be read or written
   */
  long of(String workspace) throws IOException {
    Files.createDirectories(
        directory,
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    for (long uid = first; uid < first + count; uid++) {
      if (isOf(directory.resolve(Long.toString(uid)), workspace)) {
        return uid;
      }
    }
    throw new IOException(
        "all "
            + count
            + " user ids for workspaces are taken; raise runstone.sandbox.uids, or remove workspaces"
            + " with their files in "
            + directory);
  }

  private boolean isOf(Path file, String workspace) throws IOException {
    try {
      return Files.readString(file, StandardCharsets.US_ASCII).equals(workspace);
    } catch (NoSuchFileException e) {
      return claim(file, workspace);
    }
  }

  /** The file gets its place with its content, so that nobody ever reads an empty one. */
  private boolean claim(Path file, String workspace) throws IOException {
    Path written = Files.createTempFile(directory, "claim", "");
    try {
      Files.writeString(written, workspace, StandardCharsets.US_ASCII);
      Files.createLink(file, written);
      return true;
    } catch (FileAlreadyExistsException e) {
      return Files.readString(file, StandardCharsets.US_ASCII).equals(workspace);
    } finally {
      Files.delete(written);
    }
  }
}
