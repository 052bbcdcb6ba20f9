package io.runstone.mcp.wire;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names an event within an MCP session.
 *
 * @param stream the stream it belongs to, unique in its MCP session
 * @param number counts the events of the stream, from 0
 */
public record EventId(long stream, long number) {
  private static final Pattern FORM = Pattern.compile("([0-9]{1,18})-([0-9]{1,18})");

  /** Reads an id as {@link #toString} writes it; anything else is none of ours. */
  public static Optional<EventId> parse(String text) {
    Matcher matcher = FORM.matcher(text);
    return matcher.matches()
        ? Optional.of(
            new EventId(Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2))))
        : Optional.empty();
  }

  @Override
  public String toString() {
    return stream + "-" + number;
  }
}
