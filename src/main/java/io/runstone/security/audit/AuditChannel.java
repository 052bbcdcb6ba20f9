package io.runstone.security.audit;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;

/** An open log file; what is written goes to its end. Not thread-safe. */
interface AuditChannel extends Closeable {
  /** Only the server's own user reads and writes what it makes. */
  FileAttribute<Set<PosixFilePermission>> PRIVATE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  void write(ByteBuffer bytes) throws IOException;

  /** Has the disk take what was written. */
  void force() throws IOException;

  void truncate(long size) throws IOException;

  /** How a file is opened, and made when it is not there. */
  @FunctionalInterface
  interface Opener {
    AuditChannel open(Path path) throws IOException;
  }

  /** Opens a file of the file system. */
  static AuditChannel of(Path path) throws IOException {
    if (Files.exists(path)
        && !Files.isRegularFile(path)) { // to open a pipe would wait for a reader
      throw new IOException(path + " is no regular file");
    }
    FileChannel file =
        FileChannel.open(
            path, EnumSet.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND), PRIVATE);
    return new AuditChannel() {
      @Override
      public void write(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
          file.write(bytes);
        }
      }

      @Override
      public void force() throws IOException {
        file.force(false);
      }

      @Override
      public void truncate(long size) throws IOException {
        file.truncate(size);
      }

      @Override
      public void close() throws IOException {
        file.close();
      }
    };
  }
}
