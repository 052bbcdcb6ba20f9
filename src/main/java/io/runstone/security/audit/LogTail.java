package io.runstone.security.audit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The end of a log file. Immutable.
 *
 * @param wholeBytes size of the file up to the end of its last whole line
 * @param lastLine that line; empty if there is none
 * @param tornBytes how much comes after it, for a writer died
 */
record LogTail(long wholeBytes, String lastLine, long tornBytes) {
  private static final int CHUNK = 8192;
  private static final long NONE = -1;

  /** Reads the end of a file, backwards, so that its size does not matter. */
  static LogTail of(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      long size = channel.size();
      long end = newlineBefore(channel, size);
      if (end == NONE) {
        return new LogTail(0, "", size);
      }
      long start = newlineBefore(channel, end) + 1;
      return new LogTail(end + 1, text(channel, start, end), size - end - 1);
    }
  }

  /** What comes after the last whole line. */
  byte[] torn(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      return read(channel, wholeBytes, Math.toIntExact(tornBytes)).array();
    }
  }

  private static long newlineBefore(FileChannel channel, long limit) throws IOException {
    for (long end = limit; end > 0; end -= CHUNK) {
      long start = Math.max(0, end - CHUNK);
      ByteBuffer bytes = read(channel, start, (int) (end - start));
      for (int i = bytes.limit() - 1; i >= 0; i--) {
        if (bytes.get(i) == '\n') {
          return start + i;
        }
      }
    }
    return NONE;
  }

  private static String text(FileChannel channel, long start, long end) throws IOException {
    return new String(
        read(channel, start, Math.toIntExact(end - start)).array(), StandardCharsets.ISO_8859_1);
  }

  private static ByteBuffer read(FileChannel channel, long start, int length) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(length);
    while (bytes.hasRemaining() && channel.read(bytes, start + bytes.position()) >= 0) {
      // goes on until the buffer is full
    }
    return bytes.flip();
  }
}
