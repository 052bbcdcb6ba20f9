package io.runstone.workspace;

import io.runstone.sandbox.SandboxHost;
import io.runstone.security.UserId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Set;

/**
 * Knows where each user's workspace lies: one directory a user, whose name is a digest, so that no
 * text a user chose is ever a path. Stateless and thread-safe.
 */
public final class Workspaces {
  private static final FileAttribute<Set<PosixFilePermission>> PRIVATE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  /** Can be passed through by kernels that run as another user, but not listed. */
  private static final FileAttribute<Set<PosixFilePermission>> UNLISTED =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx--x--x"));

  private final Path root;
  private final SandboxHost host;
  private final WorkspaceOwners owners;
  private final boolean shared;

  /**
   * Creates the directory service, with one user id for all workspaces.
   *
   * @param dataDirectory where workspaces lie, in {@code workspaces}
   * @param host whom the directories have to belong to
   */
  public Workspaces(Path dataDirectory, SandboxHost host) {
    this(dataDirectory, host, 1);
  }

  /**
   * Creates the directory service.
   *
   * @param dataDirectory where workspaces lie, in {@code workspaces}
   * @param host whom the directories have to belong to
   * @param uids how many user ids there are for workspaces, from the host's on; with 1 they share
   *     it, otherwise each gets its own
   */
  public Workspaces(Path dataDirectory, SandboxHost host, int uids) {
    this.root = dataDirectory.resolve("workspaces");
    this.host = host;
    this.owners = new WorkspaceOwners(dataDirectory.resolve("owners"), host.sandboxUid(), uids);
    this.shared = uids == 1;
  }

  /**
   * Returns a user's workspace, made when it is not there yet.
   *
   * @throws IOException if it can't be made, or if something else lies there
   */
  public Path directory(UserId user) throws IOException {
    String name = name(user);
    Path directory = root.resolve(name);
    if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
      Files.createDirectories(root, UNLISTED);
      Files.createDirectories(directory, PRIVATE);
    }
    if (host.ownsAsRoot(directory)) { // just made, by whomever: all give it to the same
      host.giveTo(directory, shared ? host.sandboxUid() : owners.of(name));
    }
    return directory;
  }

  private static String name(UserId user) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256")
              .digest(user.value().getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest, 0, 16);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
