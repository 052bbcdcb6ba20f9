package io.runstone.sandbox;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes a control group for each sandbox, below the groups the server itself is in, so that limits
 * set for the server stay in force. Thread-safe.
 *
 * <p>Found by {@link ControlGroupProbe}.
 */
final class ControlGroups {
  private static final Pattern NAME = Pattern.compile("runstone-([1-9][0-9]{0,9})-[0-9]{1,18}");

  private final LimitStatus status;
  private final Map<String, Path> bases;
  private final AtomicLong number = new AtomicLong();

  /**
   * Groups at a level.
   *
   * @param bases writable groups by controller; none at level rlimits only
   */
  ControlGroups(LimitStatus status, Map<String, Path> bases) {
    this.status = status;
    this.bases = Map.copyOf(bases);
  }

  /** No groups are made. */
  static ControlGroups none(String detail, Optional<String> cure) {
    return new ControlGroups(new LimitStatus(LimitLevel.RLIMITS_ONLY, detail, cure), Map.of());
  }

  LimitStatus status() {
    return status;
  }

  /**
   * Makes a group with its limits; none at level rlimits only.
   *
   * @throws IOException if the group cannot be made or a limit cannot be set
   */
  Optional<ControlGroup> create(ResourceLimits limits) throws IOException {
    if (!status.groups()) {
      return Optional.empty();
    }
    while (true) {
      try {
        return Optional.of(create(name(number.getAndIncrement()), limits));
      } catch (FileAlreadyExistsException e) {
        // Another launcher of this process, or one before a redeployment, has that number: the
        // next.
      }
    }
  }

  private static String name(long number) {
    return "runstone-" + ProcessHandle.current().pid() + "-" + number;
  }

  private ControlGroup create(String name, ResourceLimits limits) throws IOException {
    List<Path> made = new ArrayList<>();
    try {
      for (Path base : new TreeSet<>(bases.values())) {
        made.add(Files.createDirectory(base.resolve(name)));
      }
      ControlGroup group = new ControlGroup(status.level(), name, bases);
      group.apply(
          status.level() == LimitLevel.CGROUP_V2 ? CgroupWrite.v2(limits) : CgroupWrite.v1(limits));
      return group;
    } catch (IOException e) {
      for (Path directory : made) {
        try {
          Files.deleteIfExists(directory);
        } catch (IOException again) {
          e.addSuppressed(again);
        }
      }
      throw e;
    }
  }

  /**
   * Removes the groups of servers that have ended without doing so, with whatever is in them.
   *
   * @return those that cannot be removed yet, because a process in them is still ending
   * @throws IOException if the groups cannot be listed
   */
  List<ControlGroup> removeLeftOvers() throws IOException {
    TreeSet<String> names = new TreeSet<>();
    for (Path base : bases.values()) {
      try (DirectoryStream<Path> entries = Files.newDirectoryStream(base, "runstone-*")) {
        entries.forEach(entry -> names.add(String.valueOf(entry.getFileName())));
      }
    }
    List<ControlGroup> busy = new ArrayList<>();
    for (String name : names) {
      if (isAbandoned(name)) {
        ControlGroup group = new ControlGroup(status.level(), name, bases);
        group.killMembers();
        if (!group.remove()) {
          busy.add(group);
        }
      }
    }
    return busy;
  }

  private static boolean isAbandoned(String name) {
    Matcher matcher = NAME.matcher(name);
    return matcher.matches() && ProcessHandle.of(Long.parseLong(matcher.group(1))).isEmpty();
  }
}
