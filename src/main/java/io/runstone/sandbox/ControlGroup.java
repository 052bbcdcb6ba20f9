package io.runstone.sandbox;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The control group of one sandbox: made with its limits, joined by the process that becomes the
 * sandbox, asked for what was used, removed when the last process has ended. Thread-safe.
 */
final class ControlGroup {
  private static final String PEAK = "memory.peak";

  private final LimitLevel level;
  private final String name;
  private final Map<String, Path> directories;

  @GuardedBy("this") private ResourceUsage last = ResourceUsage.UNKNOWN;

  /** Version 2: a peak that was reset is seen by the descriptor it was reset with only. */
  @GuardedBy("this") private Optional<FileChannel> peak = Optional.empty();

  /** Something of it is gone, so that a reading would be less than the last one. */
  @GuardedBy("this") private boolean frozen;

  /**
   * A group that exists.
   *
   * @param bases the groups it lies in, by controller; in version 2 all are the same
   */
  ControlGroup(LimitLevel level, String name, Map<String, Path> bases) {
    this.level = level;
    this.name = name;
    this.directories =
        bases.entrySet().stream()
            .collect(
                Collectors.toUnmodifiableMap(
                    Map.Entry::getKey, entry -> entry.getValue().resolve(name)));
  }

  String name() {
    return name;
  }

  private List<Path> distinct() {
    return directories.values().stream().distinct().sorted().toList();
  }

  /** The files a process writes its id to in order to be in the group. */
  List<Path> entrances() {
    return distinct().stream().map(path -> path.resolve("cgroup.procs")).toList();
  }

  /** Applies what belongs to a controller there is. */
  void apply(List<CgroupWrite> writes) throws IOException {
    for (CgroupWrite write : writes) {
      Path directory = directories.get(write.controller());
      if (directory != null) {
        apply(directory.resolve(write.file()), write);
      }
    }
  }

  private static void apply(Path file, CgroupWrite write) throws IOException {
    try {
      put(file, write.value());
    } catch (NoSuchFileException e) {
      if (!write.optional()) {
        throw e;
      }
    }
  }

  /** Writes a file of a control group, which is never made or cut. */
  static void put(Path file, String value) throws IOException {
    Files.writeString(file, value, StandardOpenOption.WRITE);
  }

  /** What was used up to now, or up to when it was removed. */
  synchronized ResourceUsage usage() {
    if (!frozen) {
      last =
          level == LimitLevel.CGROUP_V2
              ? CgroupReading.v2(this::read)
              : CgroupReading.v1(this::read);
    }
    return last;
  }

  private Optional<String> read(String controller, String file) {
    Path directory = directories.get(controller);
    if (directory == null) {
      return Optional.empty();
    }
    try {
      Optional<String> sinceReset = file.equals(PEAK) ? peakSinceReset() : Optional.empty();
      return sinceReset.isPresent()
          ? sinceReset
          : Optional.of(Files.readString(directory.resolve(file)));
    } catch (IOException e) {
      return Optional.empty(); // not in this kernel
    }
  }

  private synchronized Optional<String> peakSinceReset() throws IOException {
    if (peak.isEmpty()) {
      return Optional.empty();
    }
    ByteBuffer buffer = ByteBuffer.allocate(32);
    peak.orElseThrow().read(buffer, 0);
    return Optional.of(StandardCharsets.US_ASCII.decode(buffer.flip()).toString());
  }

  /** Forgets the peak; false if this kernel cannot. */
  synchronized boolean resetPeak() {
    Path directory = directories.get(CgroupWrite.MEMORY);
    if (frozen || directory == null) {
      return false;
    }
    try {
      if (level == LimitLevel.CGROUP_V1) {
        put(directory.resolve("memory.max_usage_in_bytes"), "0");
      } else {
        resetPeakOfDescriptor(directory.resolve(PEAK));
      }
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Linux 6.12 and newer. */
  @GuardedBy("this") private void resetPeakOfDescriptor(Path file) throws IOException {
    FileChannel channel =
        peak.isPresent()
            ? peak.orElseThrow()
            : FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
    try {
      channel.write(ByteBuffer.wrap(new byte[] {'0'}), 0);
      peak = Optional.of(channel);
    } catch (IOException e) {
      peak = Optional.empty();
      channel.close();
      throw e;
    }
  }

  /** Whether it was removed, or was gone; not while a process is in it. */
  synchronized boolean remove() {
    usage();
    for (Path directory : distinct()) {
      try {
        Files.deleteIfExists(directory);
        frozen = true;
      } catch (IOException e) {
        return false;
      }
    }
    closePeak();
    return true;
  }

  @GuardedBy("this") private void closePeak() {
    try {
      if (peak.isPresent()) {
        peak.orElseThrow().close();
      }
    } catch (IOException e) {
      // The file is gone with its group: nothing is lost.
    }
    peak = Optional.empty();
  }

  /**
   * Kills every process in it. A process of another PID namespace has no number here, and is left
   * alone.
   */
  void killMembers() {
    for (Path entrance : entrances()) {
      try {
        for (String line : Files.readAllLines(entrance)) {
          long pid = Long.parseLong(line.strip());
          if (pid > 0) {
            ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
          }
        }
      } catch (IOException | NumberFormatException e) {
        // Gone in the meantime.
      }
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
