package io.runstone.upstream.vault;

import io.runstone.security.Sha256;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Encrypted files, each under words that say what it holds and whose it is. A file's name is a
 * digest of its words, so nothing that a user chose is part of a path. Thread-safe as long as one
 * thread at a time writes under the same words; everything but {@link #has} reads or writes the
 * disk.
 */
public final class SealedFiles {
  private static final System.Logger LOG = System.getLogger(SealedFiles.class.getName());
  private static final int MAX_BYTES = 256 * 1024;
  private static final int MAX_TOLD = 1000;

  private static final FileAttribute<?> OWNER_DIRECTORY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private static final FileAttribute<?> OWNER_FILE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  /** Parents are those of workspaces too, which kernels of another user pass through. */
  private static final FileAttribute<?> UNLISTED =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx--x--x"));

  private final Path directory;
  private final KeyRing keys;
  private final Recent<String, Boolean> told = new Recent<>(MAX_TOLD);

  /** Files in a directory, which is made when it is needed. */
  public SealedFiles(Path directory, KeyRing keys) {
    this.directory = directory;
    this.keys = keys;
  }

  /** Whether there is a file under those words, readable or not. */
  public boolean has(List<String> words) {
    return Files.exists(path(words));
  }

  /**
   * What is under those words; empty if nothing is, or nothing that can be read any more, which the
   * log then tells.
   */
  public Optional<byte[]> read(List<String> words) {
    Path path = path(words);
    try {
      if (Files.size(path) > MAX_BYTES) {
        throw new UnusableSecretException("it is too large");
      }
      return Optional.of(keys.open(Files.readAllBytes(path), words));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (UnusableSecretException e) {
      tell(path, String.valueOf(e.getMessage()));
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Writes in one step, and has it on the disk before it returns: a refresh token that is lost
   * can't be had again.
   *
   * @throws UnusableSecretException if there is no key to encrypt with
   */
  public void write(List<String> words, byte[] plain) throws UnusableSecretException {
    byte[] sealed = keys.seal(plain, words);
    Path path = path(words);
    try {
      prepare();
      Path draft = directory.resolve(path.getFileName() + "." + UUID.randomUUID() + ".new");
      try {
        try (FileChannel out =
            FileChannel.open(
                draft,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                OWNER_FILE)) {
          ByteBuffer bytes = ByteBuffer.wrap(sealed);
          while (bytes.hasRemaining()) {
            out.write(bytes);
          }
          out.force(true);
        }
        Files.move(
            draft, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      } finally {
        Files.deleteIfExists(draft);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Removes what is under those words, if there is something. */
  public void delete(List<String> words) {
    try {
      Files.deleteIfExists(path(words));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Once for each file and trouble, not for each request. */
  private void tell(Path path, String trouble) {
    String line = path.getFileName() + trouble;
    if (told.get(line).isEmpty()) {
      told.put(line, true);
      LOG.log(
          System.Logger.Level.WARNING,
          "{0}: this file is left alone, for it can''t be opened: {1}",
          path.getFileName(),
          trouble);
    }
  }

  private void prepare() throws IOException {
    Path parent = directory.getParent();
    if (parent != null) {
      Files.createDirectories(parent, UNLISTED);
    }
    Files.createDirectories(directory, OWNER_DIRECTORY);
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
  }

  private Path path(List<String> words) {
    StringBuilder all = new StringBuilder();
    words.forEach(word -> all.append(word.length()).append(':').append(word));
    return directory.resolve(Sha256.hex(all.toString()));
  }
}
