package io.runstone.security;

import java.util.Arrays;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** What a user may be allowed to do; the names are those of OAuth scopes. Immutable. */
public enum Scope {
  /** Run code, and fetch what it put out. */
  EXECUTE("runstone:execute"),
  /** Start, list, stop, interrupt and restart sessions. */
  SESSIONS("runstone:sessions"),
  /** See the files of the workspace. */
  FILES("runstone:files"),
  /** Use upstream servers, all of them; with {@code :} and a name after it, that one. */
  UPSTREAM("runstone:upstream"),
  /** Administer the server. */
  ADMIN("runstone:admin");

  /** What users usually may: everything but administer. */
  public static final Set<Scope> USUAL = Set.of(EXECUTE, SESSIONS, FILES, UPSTREAM);

  /** The same on a server that has no upstream servers; issuers may not know a scope for them. */
  public static final Set<Scope> WITHOUT_UPSTREAM = Set.of(EXECUTE, SESSIONS, FILES);

  private final String label;

  Scope(String label) {
    this.label = label;
  }

  /** The scope's name in tokens. */
  public String label() {
    return label;
  }

  /** Names of scopes, as OAuth writes several: in a fixed order, with spaces between them. */
  public static String labels(Collection<Scope> scopes) {
    return scopes.stream().distinct().sorted().map(Scope::label).collect(Collectors.joining(" "));
  }

  /** The scopes that names are of; others are none of ours. */
  public static Set<Scope> allOf(Collection<String> labels) {
    return labels.stream()
        .flatMap(label -> of(label).stream())
        .collect(Collectors.toUnmodifiableSet());
  }

  /** The upstream servers that scopes of theirs are of; other scopes are none of those. */
  public static Set<String> upstreamsOf(Collection<String> labels) {
    String prefix = UPSTREAM.label + ":";
    return labels.stream()
        .filter(label -> label.startsWith(prefix) && label.length() > prefix.length())
        .map(label -> label.substring(prefix.length()))
        .collect(Collectors.toUnmodifiableSet());
  }

  /** The scope of a name in a token; others are none of ours. */
  public static Optional<Scope> of(String label) {
    return Arrays.stream(values()).filter(scope -> scope.label.equals(label)).findFirst();
  }
}
