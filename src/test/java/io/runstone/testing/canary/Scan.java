package io.runstone.testing.canary;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Looks for canaries, in all their forms, in texts, files and directories. Immutable. */
public final class Scan {
  private static final int BLOCK = 1 << 20;

  private final ArrayList<Pattern> patterns = new ArrayList<>();

  /** The first two bytes of all patterns: few places of a file pass this. */
  private final BitSet beginnings = new BitSet(1 << 16);

  private record Pattern(String says, ByteBuffer bytes) {}

  /** Looks for these. */
  public Scan(Collection<Canary> canaries) {
    for (Canary canary : canaries) {
      canary.forms().forEach((form, bytes) -> add(canary.name() + ", " + form, bytes));
    }
  }

  private void add(String says, byte[] bytes) {
    patterns.add(new Pattern(says, ByteBuffer.wrap(bytes)));
    beginnings.set(pair(bytes, 0));
  }

  private static int pair(byte[] bytes, int at) {
    return ((bytes[at] & 0xff) << 8) | (bytes[at + 1] & 0xff);
  }

  /** What is in a text. */
  public Set<String> text(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return bytes(bytes, bytes.length);
  }

  /** What is at the beginning of an array. */
  Set<String> bytes(byte[] bytes, int length) {
    Set<String> found = new TreeSet<>();
    search(bytes, length, found);
    return found;
  }

  /** What is in a stream. */
  Set<String> stream(InputStream in) throws IOException {
    int longest = patterns.stream().mapToInt(pattern -> pattern.bytes().capacity()).max().orElse(0);
    Set<String> found = new TreeSet<>();
    byte[] block = new byte[BLOCK + longest];
    int kept = 0;
    while (true) {
      int read = in.readNBytes(block, kept, BLOCK);
      if (read == 0) {
        return found;
      }
      int end = kept + read;
      search(block, end, found);
      kept = Math.min(longest, end);
      System.arraycopy(block, end - kept, block, 0, kept);
    }
  }

  /** What is in a file, or below a directory: in names, in contents and in targets of links. */
  public Set<String> below(Path root) throws IOException {
    Set<String> found = new TreeSet<>();
    try (Stream<Path> all = Files.walk(root)) {
      for (Path path : (Iterable<Path>) all::iterator) {
        Set<String> here = text(root.relativize(path).toString());
        if (Files.isSymbolicLink(path)) {
          here.addAll(text(Files.readSymbolicLink(path).toString()));
        } else if (Files.isRegularFile(path)) {
          try (InputStream in = Files.newInputStream(path)) {
            here.addAll(stream(in));
          }
        }
        here.forEach(says -> found.add(path + ": " + says));
      }
    }
    return found;
  }

  private void search(byte[] bytes, int end, Set<String> found) {
    for (int at = 0; at + 1 < end; at++) {
      if (beginnings.get(pair(bytes, at))) {
        compare(bytes, at, end, found);
      }
    }
  }

  private void compare(byte[] bytes, int at, int end, Set<String> found) {
    for (Pattern pattern : patterns) {
      int length = pattern.bytes().capacity();
      if (at + length <= end && ByteBuffer.wrap(bytes, at, length).equals(pattern.bytes())) {
        found.add(pattern.says());
      }
    }
  }
}
