package io.runstone.upstream.declared;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.runstone.upstream.ServerDirectory;
import io.runstone.upstream.UpstreamServer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The file that declares upstream servers, read again when it changed. What can't be used is said
 * in the log and to administrators, and what was read last stays in force meanwhile. Thread-safe.
 */
public final class ServersFile implements ServerDirectory {
  private static final System.Logger LOG = System.getLogger(ServersFile.class.getName());
  private static final int MAX_BYTES = 1024 * 1024;

  private final Path path;
  private final Duration timeout;
  private volatile List<UpstreamServer> servers;
  private volatile String trouble = "";
  private final Object lock = new Object();

  @GuardedBy("lock") private @Nullable Stamp stamp;

  private record Stamp(FileTime modified, long size, @Nullable Object key) {}

  /**
   * Reads the file for the first time.
   *
   * @param timeout of servers that name none
   * @throws IllegalArgumentException if it can't be used; the message says where and why
   */
  public ServersFile(Path path, Duration timeout) {
    this.path = path;
    this.timeout = timeout;
    this.servers = List.of();
    refresh();
    if (!trouble.isEmpty()) {
      throw new IllegalArgumentException("runstone.upstream.file=" + path + ": " + trouble);
    }
  }

  @Override
  public List<UpstreamServer> servers() {
    return List.copyOf(servers);
  }

  @Override
  public Optional<String> trouble() {
    return Optional.of(trouble).filter(text -> !text.isEmpty());
  }

  @Override
  public void refreshIfChanged() {
    Stamp now = look();
    boolean same;
    synchronized (lock) {
      same = now != null && now.equals(stamp);
    }
    if (!same) {
      refresh();
    }
  }

  @Override
  public void refresh() {
    Stamp now = look();
    List<UpstreamServer> read = List.of();
    String why = "";
    try {
      read = ServersJson.read(bytes(), timeout);
    } catch (BadDeclarationException e) {
      why = String.valueOf(e.getMessage());
    } catch (IOException e) {
      why = "it can't be read (" + e.getClass().getSimpleName() + ")";
    }
    boolean news;
    synchronized (lock) {
      stamp = now;
      news = !why.equals(trouble);
      trouble = why;
      if (why.isEmpty()) {
        servers = read;
      }
    }
    if (news && !why.isEmpty()) {
      LOG.log(
          System.Logger.Level.ERROR,
          "{0}: not used, what it said before stays in force: {1}",
          path,
          why);
    } else if (news) {
      LOG.log(System.Logger.Level.INFO, "{0}: can be used again", path);
    }
  }

  private @Nullable Stamp look() {
    try {
      BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
      return new Stamp(attributes.lastModifiedTime(), attributes.size(), attributes.fileKey());
    } catch (IOException e) {
      return null;
    }
  }

  private byte[] bytes() throws IOException, BadDeclarationException {
    try (InputStream in = Files.newInputStream(path)) {
      byte[] bytes = in.readNBytes(MAX_BYTES + 1);
      if (bytes.length > MAX_BYTES) {
        throw new BadDeclarationException("", "is larger than " + MAX_BYTES + " bytes");
      }
      return bytes;
    }
  }
}
