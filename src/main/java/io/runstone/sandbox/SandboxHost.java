package io.runstone.sandbox;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The machine and the user the server runs as; immutable.
 *
 * @param searchPath absolute directories in which programs are looked up
 * @param serverUid effective user id of the server
 * @param sandboxUid user id sandboxes run as where the server is root; otherwise it is not used,
 *     and sandboxes run as the server's user
 * @param sandboxGid group id that goes with it
 * @param runDirectory directory for the sandboxes' own short-lived files; made when missing
 */
public record SandboxHost(
    List<Path> searchPath, long serverUid, long sandboxUid, long sandboxGid, Path runDirectory) {

  /**
   * Checks and copies.
   *
   * @throws IllegalArgumentException if sandboxes would run as root or the run directory is not
   *     absolute
   */
  public SandboxHost {
    searchPath = List.copyOf(searchPath.stream().filter(Path::isAbsolute).toList());
    if (serverUid == 0 && (sandboxUid <= 0 || sandboxGid <= 0)) {
      throw new IllegalArgumentException(
          "sandboxes never run as root: configure an unprivileged user and group id");
    }
    if (!runDirectory.isAbsolute()) {
      throw new IllegalArgumentException("the run directory is an absolute path: " + runDirectory);
    }
  }

  /**
   * The host as this process sees it.
   *
   * @param path the value of {@code PATH}
   * @throws IOException if {@code /proc} cannot be read, so this is not Linux
   */
  public static SandboxHost of(String path, long sandboxUid, long sandboxGid, Path runDirectory)
      throws IOException {
    Object uid = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    List<Path> directories =
        Arrays.stream(path.split(File.pathSeparator, -1))
            .filter(entry -> !entry.isEmpty())
            .map(Path::of)
            .toList();
    return new SandboxHost(
        directories, ((Number) uid).longValue(), sandboxUid, sandboxGid, runDirectory);
  }

  /** Whether the server is root, so that sandboxes run as another user. */
  public boolean root() {
    return serverUid == 0;
  }

  /**
   * Makes a file or directory belong to the sandboxes' user, which only root has to and can do;
   * does nothing otherwise. Does not follow links.
   *
   * @throws IOException if the owner cannot be changed
   */
  public void giveToSandbox(Path path) throws IOException {
    giveTo(path, sandboxUid);
  }

  /**
   * Makes a workspace belong to a user id of its own, which its sandboxes then run as; does nothing
   * unless the server is root. Does not follow links.
   *
   * @throws IOException if the owner cannot be changed
   */
  public void giveTo(Path path, long uid) throws IOException {
    if (root()) {
      Files.setAttribute(path, "unix:uid", (int) uid, LinkOption.NOFOLLOW_LINKS);
      Files.setAttribute(path, "unix:gid", (int) sandboxGid, LinkOption.NOFOLLOW_LINKS);
    }
  }

  /**
   * The user id that sandboxes of a workspace run as: its owner's, but never root's.
   *
   * @throws IOException if the workspace does not exist
   */
  public long uidOf(Path workspace) throws IOException {
    return ownsAsRoot(workspace) ? sandboxUid : owner(workspace);
  }

  /**
   * Whether the server is root and a directory is its own, so that no sandbox could use it. Does
   * not follow links.
   *
   * @throws IOException if it does not exist
   */
  public boolean ownsAsRoot(Path directory) throws IOException {
    return root() && owner(directory) == 0;
  }

  private static long owner(Path directory) throws IOException {
    Object owner = Files.getAttribute(directory, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    return Integer.toUnsignedLong(((Number) owner).intValue());
  }

  /** The first executable of that name on the search path. */
  Optional<Path> which(String program) {
    return searchPath.stream()
        .map(directory -> directory.resolve(program))
        .filter(Files::isRegularFile)
        .filter(Files::isExecutable)
        .findFirst();
  }
}
