package io.runstone.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The directories of the control groups this process is in; immutable.
 *
 * @param unified of version 2, if that is mounted
 * @param controllers of version 1, by controller
 */
record CgroupPlaces(Optional<Path> unified, Map<String, Path> controllers) {
  /** A mount of a control group file system; see proc(5), {@code /proc/pid/mountinfo}. */
  private record Mount(String type, Path root, Path point, List<String> options) {}

  CgroupPlaces {
    controllers = Map.copyOf(controllers);
  }

  /**
   * Those of this process.
   *
   * @throws IOException if {@code /proc} cannot be read
   */
  static CgroupPlaces ofThisProcess() throws IOException {
    return parse(
        Files.readString(Path.of("/proc/self/cgroup")),
        Files.readString(Path.of("/proc/self/mountinfo")));
  }

  /** Pure: from the texts of {@code /proc/self/cgroup} and {@code /proc/self/mountinfo}. */
  static CgroupPlaces parse(String cgroup, String mountinfo) {
    List<Mount> mounts =
        mountinfo.lines().map(CgroupPlaces::mount).flatMap(Optional::stream).toList();
    Optional<Path> unified = Optional.empty();
    Map<String, Path> controllers = new LinkedHashMap<>();
    for (String line : cgroup.lines().toList()) {
      String[] fields = line.split(":", 3);
      if (fields.length == 3 && fields[1].isEmpty()) {
        unified = directory(mounts, "cgroup2", "", fields[2]);
      } else if (fields.length == 3) {
        for (String controller : fields[1].split(",", -1)) {
          directory(mounts, "cgroup", controller, fields[2])
              .ifPresent(path -> controllers.put(controller, path));
        }
      }
    }
    return new CgroupPlaces(unified, controllers);
  }

  private static Optional<Mount> mount(String line) {
    String[] halves = line.split(" - ", 2);
    String[] left = halves[0].split(" ", -1);
    String[] right = halves.length == 2 ? halves[1].split(" ", -1) : new String[0];
    if (left.length < 6 || right.length < 3 || !right[0].startsWith("cgroup")) {
      return Optional.empty();
    }
    return Optional.of(
        new Mount(
            right[0],
            Path.of(unescaped(left[3])),
            Path.of(unescaped(left[4])),
            Arrays.asList(right[2].split(",", -1))));
  }

  private static String unescaped(String text) {
    return text.replace("\\040", " ").replace("\\011", "\t").replace("\\134", "\\");
  }

  /** A container may have a part of the tree mounted, then only what lies in it can be named. */
  private static Optional<Path> directory(
      List<Mount> mounts, String type, String controller, String group) {
    Path path = Path.of(group);
    return mounts.stream()
        .filter(mount -> mount.type().equals(type))
        .filter(mount -> controller.isEmpty() || mount.options().contains(controller))
        .filter(mount -> path.startsWith(mount.root()) && path.equals(path.normalize()))
        .map(mount -> mount.point().resolve(mount.root().relativize(path)).normalize())
        .findFirst();
  }
}
