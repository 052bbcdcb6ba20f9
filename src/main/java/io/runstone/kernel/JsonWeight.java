package io.runstone.kernel;

/**
 * How many bytes text takes once it is written as JSON in UTF-8: a control character takes six, so
 * a bound on characters would be none on memory. Pure.
 */
final class JsonWeight {
  private JsonWeight() {}

  static int of(char c) {
    if (c < 0x20) {
      return c == '\n' || c == '\r' || c == '\t' ? 2 : 6;
    } else if (c == '"' || c == '\\') {
      return 2;
    } else if (c < 0x80) {
      return 1;
    } else if (c == '\u0085' || c == '\u2028' || c == '\u2029') {
      return 6; // LineSafeJsonMapper escapes them
    }
    return c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
  }

  static long of(String text) {
    long weight = 0;
    for (int i = 0; i < text.length(); i++) {
      weight += of(text.charAt(i));
    }
    return weight;
  }

  /** The longest beginning that weighs no more, cut between characters. */
  static int prefix(String text, long max) {
    long weight = 0;
    int i = 0;
    while (i < text.length() && weight + of(text.charAt(i)) <= max) {
      weight += of(text.charAt(i));
      i++;
    }
    boolean split = i > 0 && i < text.length() && Character.isHighSurrogate(text.charAt(i - 1));
    return split ? i - 1 : i;
  }

  /** The shortest beginning whose removal takes at least that weight, cut between characters. */
  static int removal(String text, long min) {
    long weight = 0;
    int i = 0;
    while (i < text.length() && weight < min) {
      weight += of(text.charAt(i));
      i++;
    }
    boolean split = i < text.length() && Character.isLowSurrogate(text.charAt(i));
    return split ? i + 1 : i;
  }
}
