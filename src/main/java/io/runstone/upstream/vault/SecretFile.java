package io.runstone.upstream.vault;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A file with a secret that an administrator wrote. It is looked at whenever it is asked for and
 * read again when it changed. One that everybody may read is no secret, and is refused.
 * Thread-safe.
 */
public final class SecretFile {
  private static final System.Logger LOG = System.getLogger(SecretFile.class.getName());
  private static final int MAX_BYTES = 64 * 1024;

  /** A file this young may change again without its time changing. */
  private static final Duration SETTLED = Duration.ofSeconds(2);

  private static final Set<PosixFilePermission> OTHERS =
      Set.of(PosixFilePermission.OTHERS_READ, PosixFilePermission.OTHERS_WRITE);

  private final Path path;
  private final Clock clock;
  private final Object lock = new Object();

  @GuardedBy("lock") private State state = State.failed("");

  /**
   * What the file had when it was read.
   *
   * @param number another one for each other text
   */
  private record State(@Nullable Version version, String text, long number, String trouble) {
    static State failed(String trouble) {
      return new State(null, "", 0, trouble);
    }

    State numbered(long other) {
      return new State(version, text, other, trouble);
    }
  }

  private record Version(Instant modified, long size, @Nullable Object file) {}

  /** The file at a path, which need not be there yet. */
  public SecretFile(Path path, Clock clock) {
    this.path = path;
    this.clock = clock;
  }

  /** A number that changes when the secret does. */
  public long version() {
    return look().number();
  }

  /**
   * The first line, without blanks around it.
   *
   * @throws UnusableSecretException if there is none
   */
  public String firstLine() throws UnusableSecretException {
    String line = usable().lines().findFirst().orElse("").strip();
    if (line.isEmpty()) {
      throw new UnusableSecretException("its first line is empty");
    } else if (line.chars().anyMatch(c -> c < ' ' || c > '~')) {
      throw new UnusableSecretException("its first line has characters that can't be sent");
    }
    return line;
  }

  /**
   * The lines that are neither blank nor comments; there may be none.
   *
   * @throws UnusableSecretException if the file can't be used
   */
  public List<String> lines() throws UnusableSecretException {
    return usable()
        .lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty() && !line.startsWith("#"))
        .toList();
  }

  private String usable() throws UnusableSecretException {
    State now = look();
    if (!now.trouble().isEmpty()) {
      throw new UnusableSecretException(now.trouble());
    }
    return now.text();
  }

  private State look() {
    State known = current();
    Optional<State> changed = changedSince(known);
    if (changed.isEmpty()) {
      return known;
    }
    State now = keep(changed.orElseThrow());
    if (!now.trouble().equals(known.trouble())) {
      tell(now.trouble());
    }
    return now;
  }

  private State current() {
    synchronized (lock) {
      return state;
    }
  }

  private State keep(State read) {
    synchronized (lock) {
      boolean same = state.text().equals(read.text());
      state = read.numbered(same ? state.number() : state.number() + 1);
      return state;
    }
  }

  private Optional<State> changedSince(State known) {
    try {
      BasicFileAttributes file = Files.readAttributes(path, BasicFileAttributes.class);
      Version version =
          new Version(file.lastModifiedTime().toInstant(), file.size(), file.fileKey());
      if (version.equals(known.version())) {
        return Optional.empty();
      }
      String text = read();
      boolean settled = version.modified().plus(SETTLED).isBefore(clock.instant());
      return Optional.of(new State(settled ? version : null, text, 0, ""));
    } catch (NoSuchFileException e) {
      return Optional.of(State.failed("it is not there"));
    } catch (UnusableSecretException e) {
      return Optional.of(State.failed(String.valueOf(e.getMessage())));
    } catch (IOException e) {
      return Optional.of(State.failed("it can't be read (" + e.getClass().getSimpleName() + ")"));
    }
  }

  private String read() throws IOException, UnusableSecretException {
    if (Files.getFileStore(path).supportsFileAttributeView("posix")
        && Files.getPosixFilePermissions(path).stream().anyMatch(OTHERS::contains)) {
      throw new UnusableSecretException("everybody can read or write it; run chmod o-rw");
    }
    try (InputStream in = Files.newInputStream(path)) {
      byte[] bytes = in.readNBytes(MAX_BYTES + 1);
      String text = new String(bytes, StandardCharsets.UTF_8);
      if (bytes.length > MAX_BYTES) {
        throw new UnusableSecretException("it is larger than " + MAX_BYTES + " bytes");
      } else if (text.isBlank()) {
        throw new UnusableSecretException("it is empty");
      }
      return text;
    }
  }

  /** Once for each trouble, not for each request. */
  private void tell(String trouble) {
    if (trouble.isEmpty()) {
      LOG.log(System.Logger.Level.INFO, "{0}: this file can be read again", path);
    } else {
      LOG.log(System.Logger.Level.ERROR, "{0}: this file can''t be used: {1}", path, trouble);
    }
  }
}
