package io.runstone.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Prepares a group of version 2 to hold the sandboxes' groups. Stateless.
 *
 * <p>The kernel hands controllers on only where no process is in the group itself ("no internal
 * processes", except in the root of all). So a server in a group of its own, such as a systemd unit
 * with {@code Delegate=yes}, goes to the child {@value #SERVER}, with the ancestors that are in the
 * group, such as the shell that started it. Where anybody else's process is in the group it is not
 * ours to rearrange.
 */
final class UnifiedHierarchy {
  static final String SERVER = "server";

  private static final List<String> WANTED =
      List.of(CgroupWrite.MEMORY, CgroupWrite.PIDS, CgroupWrite.CPU);
  // A server is to answer while all its sandboxes are busy: as much as ten of them.
  private static final String SERVER_WEIGHT = "1000";

  private UnifiedHierarchy() {}

  /** A group to make groups in, and the controllers these have. */
  record Base(Path directory, Set<String> controllers) {}

  /**
   * Prepares the server's own group, or the one above where it has moved to the child before.
   *
   * @throws IOException if it cannot be used; the message says why
   */
  static Base prepare(Path own) throws IOException {
    Path parent = own.getParent();
    boolean moved =
        parent != null
            && own.endsWith(SERVER)
            && Files.exists(parent.resolve("cgroup.controllers"));
    Path base = moved && parent != null ? parent : own;
    Set<String> present = words(base.resolve("cgroup.controllers"));
    Set<String> wanted =
        WANTED.stream().filter(present::contains).collect(Collectors.toUnmodifiableSet());
    if (!wanted.contains(CgroupWrite.MEMORY)) {
      throw new IOException("the server's group has no memory controller");
    }
    if (!Files.isWritable(base)
        || !Files.isWritable(base.resolve("cgroup.procs"))
        || !Files.isWritable(base.resolve("cgroup.subtree_control"))) {
      throw new IOException("the server's group is not writable for the server");
    }
    if (!words(base.resolve("cgroup.subtree_control")).containsAll(wanted)) {
      if (!moved && !isRootOfAll(base)) {
        moveServer(base);
      }
      enable(base, wanted, moved);
    }
    favour(base.resolve(SERVER));
    return new Base(base, wanted);
  }

  /** Only there, where processes may stay, the file is missing. */
  private static boolean isRootOfAll(Path group) {
    return !Files.exists(group.resolve("cgroup.events"));
  }

  private static void moveServer(Path base) throws IOException {
    List<String> members = Files.readAllLines(base.resolve("cgroup.procs"));
    Set<String> kin = ancestry();
    if (!kin.containsAll(members)) {
      throw new IOException("other programs are in the server's group");
    }
    Path leaf = base.resolve(SERVER);
    if (!Files.isDirectory(leaf)) {
      Files.createDirectory(leaf);
    }
    for (String member : members) {
      ControlGroup.put(leaf.resolve("cgroup.procs"), member);
    }
  }

  private static Set<String> ancestry() {
    Set<String> pids = new HashSet<>();
    Stream.iterate(
            Optional.of(ProcessHandle.current()),
            Optional::isPresent,
            process -> process.flatMap(ProcessHandle::parent))
        .flatMap(Optional::stream)
        .forEach(process -> pids.add(Long.toString(process.pid())));
    return pids;
  }

  private static void enable(Path base, Set<String> wanted, boolean movedBefore)
      throws IOException {
    String text = wanted.stream().sorted().map(name -> "+" + name).collect(Collectors.joining(" "));
    try {
      ControlGroup.put(base.resolve("cgroup.subtree_control"), text);
    } catch (IOException e) {
      if (!movedBefore && !isRootOfAll(base)) {
        moveBack(base);
      }
      throw new IOException("the controllers cannot be handed on: " + e.getMessage(), e);
    }
  }

  private static void moveBack(Path base) throws IOException {
    List<String> members =
        new ArrayList<>(Files.readAllLines(base.resolve(SERVER).resolve("cgroup.procs")));
    for (String member : members) {
      ControlGroup.put(base.resolve("cgroup.procs"), member);
    }
    Files.delete(base.resolve(SERVER));
  }

  private static void favour(Path server) {
    try {
      ControlGroup.put(server.resolve("cpu.weight"), SERVER_WEIGHT);
    } catch (IOException e) {
      // No such group or no cpu controller: the server then has the share of any other program.
    }
  }

  private static Set<String> words(Path file) throws IOException {
    return Arrays.stream(Files.readString(file).strip().split("\\s+"))
        .filter(word -> !word.isEmpty())
        .collect(Collectors.toUnmodifiableSet());
  }
}
