package io.runstone.mcp.python;

import io.runstone.session.OutputLink;
import java.util.List;

/** What a client's model gets to see of long text, and how it is told of the rest. Pure. */
final class ShownText {
  private ShownText() {}

  /**
   * The text, or its first two thirds and its end with a line between them that says what is
   * missing.
   */
  static String cut(String text, int max) {
    if (text.length() <= max) {
      return text;
    }
    int head = boundary(text, max / 3 * 2);
    int tail = boundary(text, text.length() - max / 3);
    return text.substring(0, head)
        + "\n... "
        + (tail - head)
        + " characters are not shown; the links lead to the whole ...\n"
        + text.substring(tail);
  }

  /** Cuts no character in two. */
  private static int boundary(String text, int index) {
    return Character.isLowSurrogate(text.charAt(index)) ? index + 1 : index;
  }

  /** A line for each output that can be fetched. */
  static String links(List<OutputLink> links) {
    StringBuilder text = new StringBuilder();
    for (OutputLink link : links) {
      text.append("\n[")
          .append(link.name())
          .append(", ")
          .append(link.mediaType())
          .append(", ")
          .append(link.size())
          .append(" bytes: ")
          .append(link.uri())
          .append(" or GET ")
          .append(link.path())
          .append(']');
    }
    return text.toString();
  }
}
