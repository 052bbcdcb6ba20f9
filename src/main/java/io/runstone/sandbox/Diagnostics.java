package io.runstone.sandbox;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The file a sandbox's standard error goes to, read until the program is ready. Thread-safe. */
final class Diagnostics {
  private static final Logger LOG = System.getLogger(Diagnostics.class.getName());
  private static final int LIMIT = 4096;

  private final Path file;

  @GuardedBy("this") private boolean frozen;

  @GuardedBy("this") private String text = "";

  Diagnostics(Path file) {
    this.file = file;
  }

  Path file() {
    return file;
  }

  /** The last {@value #LIMIT} bytes written so far, or up to when it was frozen. */
  synchronized String text() {
    if (!frozen) {
      text = tail();
    }
    return text;
  }

  /** From now on the text stays as it is: what comes later may be the program's. */
  synchronized void freeze() {
    text();
    frozen = true;
  }

  /** Freezes, and deletes the file. */
  void delete() {
    freeze();
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      LOG.log(Level.WARNING, "cannot delete a sandbox's error file", e);
    }
  }

  private String tail() {
    try (RandomAccessFile reader = new RandomAccessFile(file.toFile(), "r")) {
      long length = reader.length();
      byte[] bytes = new byte[(int) Math.min(LIMIT, length)];
      reader.seek(length - bytes.length);
      reader.readFully(bytes);
      return new String(bytes, StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      return "";
    }
  }
}
