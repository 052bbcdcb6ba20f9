package io.runstone.workspace;

import io.runstone.security.UserId;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Lists and reads the files of workspaces. Stateless and thread-safe.
 *
 * <p>Workspaces are written by programs that may be hostile and may be running. Every step goes
 * from an open directory to an entry of it without following links, so that no path leads out,
 * whatever is exchanged meanwhile; only regular files are opened.
 */
public final class WorkspaceFiles {
  private static final int MAX_ENTRIES = 1000;

  /** Each level holds one of the server's file descriptors open. */
  private static final int MAX_DEPTH = 16;

  private static final int MAX_PATH = 1024;
  private static final LinkOption NO_LINKS = LinkOption.NOFOLLOW_LINKS;

  private final Workspaces workspaces;

  /** The files of those workspaces. */
  public WorkspaceFiles(Workspaces workspaces) {
    this.workspaces = workspaces;
  }

  /**
   * A regular file.
   *
   * @param path relative to the workspace, with slashes
   * @param size in bytes
   */
  public record Entry(String path, long size, Instant modified) {}

  /**
   * Lists the regular files, by path; at most {@value #MAX_ENTRIES} and {@value #MAX_DEPTH} levels.
   * Names that are hidden, or that are no text, are left out.
   *
   * @throws IOException if the workspace can't be read
   */
  public List<Entry> list(UserId user) throws IOException {
    List<Entry> all = new ArrayList<>();
    try (DirectoryStream<Path> root = Files.newDirectoryStream(workspaces.directory(user))) {
      if (root instanceof SecureDirectoryStream<Path> secure) {
        list(secure, "", 1, all);
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    all.sort(Comparator.comparing(Entry::path));
    return all;
  }

  private static void list(
      SecureDirectoryStream<Path> directory, String prefix, int depth, List<Entry> all)
      throws IOException {
    for (Path entry : directory) {
      String name = String.valueOf(entry.getFileName());
      if (all.size() >= MAX_ENTRIES) {
        return;
      } else if (isPlain(name) && !name.startsWith(".")) {
        visit(directory, name, prefix + name, depth, all);
      }
    }
  }

  private static void visit(
      SecureDirectoryStream<Path> directory, String name, String path, int depth, List<Entry> all) {
    try {
      BasicFileAttributes attributes = attributes(directory, name);
      if (attributes.isRegularFile()) {
        all.add(new Entry(path, attributes.size(), attributes.lastModifiedTime().toInstant()));
      } else if (attributes.isDirectory() && depth < MAX_DEPTH) {
        try (SecureDirectoryStream<Path> inner = enter(directory, name)) {
          list(inner, path + "/", depth + 1, all);
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      // It vanished, was exchanged for a link, or can't be read: not one of the files then.
    }
  }

  /**
   * Opens a directory in a directory. To open a name as it is would wait for ever if a pipe has
   * that name; {@code name/.} is never a pipe, but might be beyond a link, so what was opened has
   * to be what the name, links not followed, is.
   */
  private static SecureDirectoryStream<Path> enter(
      SecureDirectoryStream<Path> directory, String name) throws IOException {
    SecureDirectoryStream<Path> inner = directory.newDirectoryStream(Path.of(name, "."));
    try {
      Object opened =
          inner.getFileAttributeView(BasicFileAttributeView.class).readAttributes().fileKey();
      BasicFileAttributes named = attributes(directory, name);
      if (named.isDirectory() && opened.equals(named.fileKey())) {
        return inner;
      }
    } catch (IOException e) {
      inner.close();
      throw e;
    }
    inner.close();
    throw new NotDirectoryException(name);
  }

  /** Whether a name can be part of a path that people and programs see. */
  private static boolean isPlain(String name) {
    return !name.isEmpty()
        && !name.equals(".")
        && !name.equals("..")
        && name.chars().noneMatch(c -> c == '/' || Character.isISOControl(c) || c == 0xFFFD);
  }

  private static BasicFileAttributes attributes(SecureDirectoryStream<Path> directory, String name)
      throws IOException {
    return directory
        .getFileAttributeView(Path.of(name), BasicFileAttributeView.class, NO_LINKS)
        .readAttributes();
  }

  /**
   * Opens what was a regular file a moment ago. A pipe that has taken its place meanwhile would
   * keep a reader waiting for a writer for ever; opened for writing too, it does not, and then
   * shows itself by having no position.
   */
  private static SeekableByteChannel regular(SecureDirectoryStream<Path> directory, String name)
      throws IOException {
    SeekableByteChannel channel =
        directory.newByteChannel(
            Path.of(name), Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, NO_LINKS));
    try {
      return channel.position(0);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  /**
   * Opens a regular file; empty if there is none of that path, or the server may not write to it.
   *
   * @param path relative to the workspace, with slashes
   */
  public Optional<InputStream> open(UserId user, String path) throws IOException {
    List<String> names = List.of(path.split("/", -1));
    if (path.length() > MAX_PATH
        || names.size() > MAX_DEPTH
        || !names.stream().allMatch(WorkspaceFiles::isPlain)) {
      return Optional.empty();
    }
    try (DirectoryStream<Path> root = Files.newDirectoryStream(workspaces.directory(user))) {
      return root instanceof SecureDirectoryStream<Path> secure
          ? open(secure, names)
          : Optional.empty();
    }
  }

  private static Optional<InputStream> open(
      SecureDirectoryStream<Path> directory, List<String> names) {
    String name = names.get(0);
    try {
      if (names.size() > 1) {
        try (SecureDirectoryStream<Path> inner = enter(directory, name)) {
          return open(inner, names.subList(1, names.size()));
        }
      } else if (attributes(directory, name).isRegularFile()) {
        return Optional.of(Channels.newInputStream(regular(directory, name)));
      }
    } catch (IOException e) {
      // As in visit.
    }
    return Optional.empty();
  }
}
