package io.runstone.kernel.local;

import io.runstone.kernel.StreamFile;
import io.runstone.kernel.StreamName;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the whole of one stream: in memory as long as it is short, and in a file once it is longer
 * than what a result keeps. Used by one thread at a time.
 */
final class StreamSpool {
  private static final System.Logger LOG = System.getLogger(StreamSpool.class.getName());

  private final StreamName name;
  private final Path directory;
  private final int memoryCharacters;
  private final long maxFileBytes;
  private final StringBuilder memory = new StringBuilder();
  private @Nullable Path file;
  private @Nullable OutputStream out;
  private long written;
  private boolean complete = true;

  StreamSpool(StreamName name, Path directory, int memoryCharacters, long maxFileBytes) {
    this.name = name;
    this.directory = directory;
    this.memoryCharacters = memoryCharacters;
    this.maxFileBytes = maxFileBytes;
  }

  void append(String text) {
    try {
      if (out != null) {
        write(out, text);
      } else if (complete) {
        memory.append(text);
        if (memory.length() > memoryCharacters) {
          spill();
        }
      }
    } catch (IOException e) { // a full disk costs the file, not the execution
      LOG.log(
          System.Logger.Level.WARNING, "{0}: the rest of a stream is not kept: {1}", directory, e);
      complete = false;
      finish();
    }
  }

  private void spill() throws IOException {
    file =
        Files.createTempFile(
            directory,
            name.label() + "-",
            ".txt",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    out = Files.newOutputStream(file);
    write(out, memory.toString());
    memory.setLength(0);
    memory.trimToSize();
  }

  private void write(OutputStream to, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (written + bytes.length > maxFileBytes) {
      complete = false;
      finish();
      return;
    }
    to.write(bytes);
    written += bytes.length;
  }

  /** Ends the writing; the file if there is one. Nothing is appended after that. */
  Optional<StreamFile> finish() {
    try {
      if (out != null) {
        out.close();
      }
    } catch (IOException e) {
      complete = false;
    }
    out = null;
    memory.setLength(0);
    return Optional.ofNullable(file).map(path -> new StreamFile(name, path, written, complete));
  }
}
