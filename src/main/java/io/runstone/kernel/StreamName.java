package io.runstone.kernel;

import java.util.Locale;

/** Which of a program's two output streams. */
public enum StreamName {
  STDOUT,
  STDERR;

  /** The name in Jupyter's messages. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
