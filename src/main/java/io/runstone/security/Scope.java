package io.runstone.security;

import java.util.Arrays;
import java.util.Optional;

/** What a user may be allowed to do; the names are those of OAuth scopes. Immutable. */
public enum Scope {
  /** Run code, and fetch what it put out. */
  EXECUTE("runstone:execute"),
  /** Start, list, stop, interrupt and restart sessions. */
  SESSIONS("runstone:sessions"),
  /** See the files of the workspace. */
  FILES("runstone:files"),
  /** Administer the server. */
  ADMIN("runstone:admin");

  private final String label;

  Scope(String label) {
    this.label = label;
  }

  /** The scope's name in tokens. */
  public String label() {
    return label;
  }

  /** The scope of a name in a token; others are none of ours. */
  public static Optional<Scope> of(String label) {
    return Arrays.stream(values()).filter(scope -> scope.label.equals(label)).findFirst();
  }
}
