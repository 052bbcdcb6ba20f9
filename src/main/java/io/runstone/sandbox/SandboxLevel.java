package io.runstone.sandbox;

import java.util.Locale;

/** How a program is confined, strongest first; immutable. */
public enum SandboxLevel {
  /** By {@code bwrap}, which is maintained and reviewed outside this project. */
  BUBBLEWRAP,
  /** By {@code launcher.py}, which makes the same namespaces and mounts itself. */
  NAMESPACES,
  /** Not at all: an ordinary process, unprivileged where the server can drop privileges. */
  NONE;

  /** The level's name as it is shown and configured, lower case. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
