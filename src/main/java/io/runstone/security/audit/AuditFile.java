package io.runstone.security.audit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A chain of lines in files. Not thread-safe.
 *
 * <p>INVARIANT: {@code last} is the last line that was written with success, and {@code size} is
 * where it ends in the file. What lies behind is not part of the log: it is taken back before
 * anything more is written, or kept aside when another process left it.
 */
final class AuditFile implements LineStore {
  private static final long LOOK_EVERY_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final LogFiles files;
  private final Limits limits;
  private final AuditChannel.Opener opener;

  private @Nullable FileChannel lock;
  private @Nullable AuditChannel channel;

  /** Known once the files were read; from then on what they say does not count any more. */
  private @Nullable AuditLine last;

  private long size;
  private @Nullable Object identity;
  private long lookedAt;

  /**
   * Bounds on the files.
   *
   * @param maxBytes size above which a file is rotated
   * @param maxFiles how many files there are, the one that is written included
   * @param sync whether the disk has to have a line before it counts as written
   */
  record Limits(long maxBytes, int maxFiles, boolean sync) {}

  AuditFile(LogFiles files, Limits limits, AuditChannel.Opener opener) {
    this.files = files;
    this.limits = limits;
    this.opener = opener;
  }

  @Override
  public Optional<String> open() throws IOException {
    closeChannel();
    files.createDirectory();
    if (lock == null) {
      lock = files.lock();
    }
    AuditChannel opened = opener.open(files.current());
    channel = opened;
    return last == null ? readEnd(opened) : takeBack(opened);
  }

  /** After a failure of this process: what it had written of the lines that failed is removed. */
  private Optional<String> takeBack(AuditChannel opened) throws IOException {
    Object found = fileKey();
    long length = Files.size(files.current());
    if (found.equals(identity)
        && length >= size) { // a new file may get the number of a removed one
      opened.truncate(size);
      return Optional.empty();
    }
    boolean expected = identity == null; // it was rotated away by us
    identity = found;
    size = length;
    return expected
        ? Optional.empty()
        : Optional.of("the file was removed or replaced while it was written");
  }

  /** In a new process: the chain goes on where the files end. */
  private Optional<String> readEnd(AuditChannel opened) throws IOException {
    LogTail tail = LogTail.of(files.current());
    String line = tail.lastLine();
    if (tail.wholeBytes() == 0) {
      List<Path> rotated = files.rotated();
      line = rotated.isEmpty() ? "" : LogTail.of(rotated.get(rotated.size() - 1)).lastLine();
    }
    AuditLine end = line.isEmpty() ? AuditLine.NONE : parse(line);
    Optional<String> mended = Optional.empty();
    if (tail.tornBytes() > 0) {
      Path aside = files.torn(end.sequence());
      try (AuditChannel copy = opener.open(aside)) {
        copy.write(ByteBuffer.wrap(tail.torn(files.current())));
        copy.force();
      }
      opened.truncate(tail.wholeBytes());
      mended =
          Optional.of(
              "a line was not finished; its " + tail.tornBytes() + " bytes are in " + name(aside));
    }
    last = end;
    size = tail.wholeBytes();
    identity = fileKey();
    return mended;
  }

  private AuditLine parse(String line) throws IOException {
    return AuditLine.parse(line)
        .orElseThrow(
            () ->
                new IOException(
                    "the last line of "
                        + files.current()
                        + " or of the file rotated last is none of an audit log, or was changed;"
                        + " keep these files elsewhere, and a new log begins"));
  }

  private static String name(Path file) {
    return String.valueOf(file.getFileName());
  }

  private Object fileKey() throws IOException {
    Object key = Files.readAttributes(files.current(), BasicFileAttributes.class).fileKey();
    return key == null ? files.current() : key;
  }

  @Override
  public void write(List<AuditEvent> events) throws IOException {
    checkStillThere();
    AuditLine line = lastLine();
    StringBuilder text = new StringBuilder();
    for (AuditEvent event : events) {
      line = AuditLine.after(line, event);
      text.append(line.text()).append('\n');
    }
    if (size > 0 && size + text.length() > limits.maxBytes()) {
      rotate();
    }
    AuditChannel target = opened();
    target.write(ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.US_ASCII)));
    if (limits.sync()) {
      target.force();
    }
    last = line;
    size += text.length();
  }

  private AuditLine lastLine() {
    if (last == null) {
      throw new IllegalStateException("not open");
    }
    return last;
  }

  private AuditChannel opened() throws IOException {
    if (channel == null) {
      throw new IOException("not open");
    }
    return channel;
  }

  /** A file that was removed takes lines all the same, but nobody would ever see them. */
  private void checkStillThere() throws IOException {
    if (System.nanoTime() - lookedAt > LOOK_EVERY_NANOS) {
      lookedAt = System.nanoTime();
      if (!fileKey().equals(identity)) {
        throw new IOException(files.current() + " was replaced");
      }
    }
  }

  /** Has the next write look whether the file is still there. */
  void lookAgain() {
    lookedAt = System.nanoTime() - 2 * LOOK_EVERY_NANOS;
  }

  private void rotate() throws IOException {
    opened().force();
    closeChannel();
    files.putAside(lastLine().sequence());
    identity = null;
    size = 0;
    files.prune(limits.maxFiles() - 1);
    channel = opener.open(files.current());
    identity = fileKey();
    if (limits.sync()) {
      try (FileChannel directory = FileChannel.open(files.directory(), StandardOpenOption.READ)) {
        directory.force(true);
      }
    }
  }

  private void closeChannel() throws IOException {
    AuditChannel closing = channel;
    channel = null;
    if (closing != null) {
      closing.close();
    }
  }

  @Override
  public void close() throws IOException {
    try {
      closeChannel();
    } finally {
      if (lock != null) {
        lock.close();
        lock = null;
      }
    }
  }
}
