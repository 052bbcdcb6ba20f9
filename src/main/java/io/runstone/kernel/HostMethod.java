package io.runstone.kernel;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What code in a kernel can ask its host for. */
public enum HostMethod {
  /** Which upstream servers there are. */
  SERVERS,
  /** The tools of one. */
  TOOLS,
  /** Tools of any, by words. */
  SEARCH,
  /** To call a tool. */
  CALL;

  /** The word on the wire. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The method of a word. */
  public static Optional<HostMethod> of(String label) {
    return Arrays.stream(values()).filter(method -> method.label().equals(label)).findFirst();
  }
}
