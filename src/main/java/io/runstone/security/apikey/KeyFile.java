package io.runstone.security.apikey;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The file of keys. It is looked at for every key that is asked for and read again when it changed,
 * so a key that is revoked is refused at once. Of a file that can't be read or has a line that is
 * none, no key is taken. Thread-safe.
 */
final class KeyFile {
  private static final System.Logger LOG = System.getLogger(KeyFile.class.getName());
  private static final int MAX_BYTES = 8 * 1024 * 1024;

  /** A file this young may change again without its time changing. */
  private static final Duration SETTLED = Duration.ofSeconds(2);

  private final Path path;
  private final Clock clock;
  private final Object lock = new Object();

  @GuardedBy("lock") private @Nullable Version version;

  @GuardedBy("lock") private Map<String, KeyLine> lines = Map.of();

  @GuardedBy("lock") private String trouble = "";

  private record Version(Instant modified, long size, @Nullable Object file) {
    static Version of(Path path) throws IOException {
      BasicFileAttributes now = Files.readAttributes(path, BasicFileAttributes.class);
      return new Version(now.lastModifiedTime().toInstant(), now.size(), now.fileKey());
    }
  }

  KeyFile(Path path, Clock clock) {
    this.path = path;
    this.clock = clock;
  }

  /** The line of a key, if it has one. */
  Optional<KeyLine> find(String key) {
    return KeyLine.idOf(key).flatMap(this::withId).filter(found -> found.isOf(key));
  }

  /** The line with an id, which is the public part of a key. */
  Optional<KeyLine> withId(String id) {
    synchronized (lock) {
      refresh();
      return Optional.ofNullable(lines.get(id));
    }
  }

  @GuardedBy("lock") private void refresh() {
    try {
      Version now = Version.of(path);
      if (!now.equals(version)) {
        lines = read();
        boolean settled = now.modified().plus(SETTLED).isBefore(clock.instant());
        version = settled ? now : null;
        tell("");
      }
    } catch (IOException | IllegalArgumentException e) {
      lines = Map.of();
      version = null;
      tell(String.valueOf(e.getMessage()));
    }
  }

  /** Once for each trouble, not for each request. */
  @GuardedBy("lock") private void tell(String now) {
    if (now.equals(trouble)) {
      return;
    }
    trouble = now;
    if (now.isEmpty()) {
      LOG.log(System.Logger.Level.INFO, "the file of API keys can be read again");
    } else {
      LOG.log(
          System.Logger.Level.ERROR,
          "{0}: nobody gets in, for the file of API keys (runstone.auth.api-keys-file) can''t be"
              + " used: {1}",
          path,
          now);
    }
  }

  private Map<String, KeyLine> read() throws IOException {
    checkWriters();
    byte[] bytes;
    try (InputStream in = Files.newInputStream(path)) {
      bytes = in.readNBytes(MAX_BYTES + 1);
    }
    if (bytes.length > MAX_BYTES) {
      throw new IOException("it is larger than " + MAX_BYTES + " bytes");
    }
    Map<String, KeyLine> found = new HashMap<>();
    List<String> all = new String(bytes, StandardCharsets.UTF_8).lines().toList();
    for (int i = 0; i < all.size(); i++) {
      String line = all.get(i).strip();
      if (!line.isEmpty() && !line.startsWith("#")) {
        add(found, line, i + 1);
      }
    }
    return found;
  }

  private static void add(Map<String, KeyLine> found, String line, int number) {
    KeyLine parsed;
    try {
      parsed = KeyLine.parse(line);
    } catch (IllegalArgumentException e) {
      // Without the cause: Base64 quotes what it can't read.
      throw new IllegalArgumentException("line " + number + " is not one that ApiKeys wrote");
    }
    if (found.put(parsed.id(), parsed) != null) {
      throw new IllegalArgumentException("line " + number + " has the id of another");
    }
  }

  /** Whoever may write it could give himself any name. */
  private void checkWriters() throws IOException {
    if (Files.getFileStore(path).supportsFileAttributeView("posix")
        && Files.getPosixFilePermissions(path).contains(PosixFilePermission.OTHERS_WRITE)) {
      throw new IOException("everybody can write it; run chmod o-w");
    }
  }
}
