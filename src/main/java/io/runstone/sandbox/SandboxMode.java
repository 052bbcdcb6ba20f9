package io.runstone.sandbox;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** What an administrator asks for with {@code runstone.sandbox}; immutable. */
public enum SandboxMode {
  /** The strongest level that works here; never {@link #NONE}. */
  AUTO,
  /** Bubblewrap or no start at all. */
  BUBBLEWRAP,
  /** The native launcher or no start at all. */
  NAMESPACES,
  /** No isolation, on purpose. */
  NONE;

  /**
   * The mode of a configuration value, in any case and with blanks around it.
   *
   * @throws IllegalArgumentException if it is none of the modes; the message names them all
   */
  public static SandboxMode parse(String value) {
    String wanted = value.strip().toLowerCase(Locale.ROOT);
    return Arrays.stream(values())
        .filter(mode -> mode.label().equals(wanted))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "unknown sandbox mode '"
                        + value
                        + "': set runstone.sandbox to one of "
                        + Arrays.stream(values())
                            .map(SandboxMode::label)
                            .collect(Collectors.joining(", "))));
  }

  /** The configuration value, lower case. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
