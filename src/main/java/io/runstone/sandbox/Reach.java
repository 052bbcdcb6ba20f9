package io.runstone.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Whether the sandboxes' user can get to a directory, told from owners and permission bits, as root
 * cannot find out by trying; immutable.
 *
 * @param uid the user
 * @param gid its only group
 */
record Reach(long uid, long gid) {
  /**
   * The outermost directory on the way to and including this one that the user cannot enter; empty
   * when it can be reached. Links on the way are resolved first.
   *
   * @throws IOException if the path does not exist
   */
  Optional<Path> blockedAt(Path directory) throws IOException {
    Path real = directory.toRealPath();
    for (int names = 0; names <= real.getNameCount(); names++) {
      Path ancestor = names == 0 ? Path.of("/") : Path.of("/").resolve(real.subpath(0, names));
      if (Files.isDirectory(ancestor) && !enterable(ancestor)) {
        return Optional.of(ancestor);
      }
    }
    return Optional.empty();
  }

  private boolean enterable(Path directory) throws IOException {
    int mode = number(directory, "unix:mode");
    if (number(directory, "unix:uid") == uid) {
      return (mode & 0100) != 0;
    }
    return (mode & (number(directory, "unix:gid") == gid ? 0010 : 0001)) != 0;
  }

  private static int number(Path path, String attribute) throws IOException {
    return Files.getAttribute(path, attribute) instanceof Integer number ? number : -1;
  }
}
