package io.runstone.sandbox;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * A launcher's private directory: fixed files for the whole life, and two short-lived ones for each
 * sandbox. Used by the launch thread, closed when that has ended.
 */
final class LaunchDirectory implements AutoCloseable {
  static final String LAUNCHER = "launcher.py";

  private final Path directory;
  private final List<Path> texts;
  private final byte[] filter;

  private LaunchDirectory(Path directory, List<Path> texts, byte[] filter) {
    this.directory = directory;
    this.texts = texts;
    this.filter = filter;
  }

  /**
   * Makes it below the run directory, for the server's user only. One that a killed server left may
   * be deleted.
   *
   * @throws IOException if it cannot be written
   */
  static LaunchDirectory create(Path runDirectory, byte[] filter) throws IOException {
    var ownerOnly =
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    Files.createDirectories(runDirectory);
    Path directory = Files.createTempDirectory(runDirectory, "launch-", ownerOnly);
    Files.write(directory.resolve(LAUNCHER), resource(LAUNCHER));
    Files.write(directory.resolve("seccomp.bpf"), filter);
    List<Path> texts = new ArrayList<>();
    for (ViewStep.Text text : SandboxView.texts()) {
      Path name = text.at().getFileName();
      Path file = directory.resolve(String.valueOf(name));
      Files.writeString(file, text.content());
      texts.add(file);
    }
    return new LaunchDirectory(directory, List.copyOf(texts), filter);
  }

  /** A resource of this package. */
  static byte[] resource(String name) {
    try (InputStream stream = LaunchDirectory.class.getResourceAsStream(name)) {
      if (stream == null) {
        throw new IllegalStateException("the application was built without " + name);
      }
      return stream.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The filter of {@code seccomp.table} for a machine. */
  static byte[] filter(SeccompArch arch) {
    String table = new String(resource("seccomp.table"), StandardCharsets.UTF_8);
    return SeccompFilter.compile(SeccompTable.parse(table), arch);
  }

  Path path() {
    return directory;
  }

  /** The compiled filter in Base64. */
  String filter() {
    return Base64.getEncoder().encodeToString(filter);
  }

  /** The files bwrap gets, in the order of their descriptors. */
  List<Path> bubblewrapFiles(Path arguments) {
    List<Path> files = new ArrayList<>(List.of(arguments, directory.resolve("seccomp.bpf")));
    files.addAll(texts);
    return files;
  }

  @Override
  public void close() throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        Files.deleteIfExists(file);
      }
    }
    Files.deleteIfExists(directory);
  }
}
