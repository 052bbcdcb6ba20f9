package io.runstone.upstream;

import java.util.Set;
import java.util.regex.Pattern;

/**
 * What an upstream server is called: by administrators, in scopes, and as an attribute of the
 * Python module {@code upstream}. So it is a Python identifier that means nothing else there, and
 * is no path, no pattern and no separator anywhere.
 */
public record ServerName(String value) implements Comparable<ServerName> {
  private static final Pattern FORM = Pattern.compile("[a-z][a-z0-9_]{0,31}");

  /** Python's keywords in lower case, and the names that the module itself has. */
  private static final Set<String> TAKEN =
      Set.of(
          "and",
          "as",
          "assert",
          "async",
          "await",
          "break",
          "class",
          "continue",
          "def",
          "del",
          "elif",
          "else",
          "except",
          "finally",
          "for",
          "from",
          "global",
          "if",
          "import",
          "in",
          "is",
          "lambda",
          "nonlocal",
          "not",
          "or",
          "pass",
          "raise",
          "return",
          "try",
          "while",
          "with",
          "yield",
          "match",
          "case",
          "type",
          "servers",
          "search",
          "aio",
          "help",
          "tools",
          "call");

  /** What a name has to be, as the end of a sentence. */
  public static final String RULE =
      "1 to 32 lower-case letters, digits and underscores, a letter first, and neither a word of"
          + " Python nor one of the module upstream";

  public ServerName {
    if (!isOne(value)) {
      throw new IllegalArgumentException("a server's name is " + RULE);
    }
  }

  /** Whether a text can be a name. */
  public static boolean isOne(String text) {
    return FORM.matcher(text).matches() && !TAKEN.contains(text);
  }

  @Override
  public int compareTo(ServerName other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
