package io.runstone.kernel;

import java.util.Locale;

/** What became of the variables. */
public enum SessionState {
  /** They are as the cell left them. */
  PRESERVED,
  /** They are gone; the next cell starts with none. */
  LOST,
  /** There was no session: the kernel was for this one execution. */
  NONE;

  /** The word on the wire. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
