package io.runstone.upstream.client;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Reads an event stream as it arrives, by the rules of the HTML standard, and never keeps more of
 * it than one event. Not thread-safe.
 */
final class SseParser {
  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};
  private static final int MAX_ID = 1024;
  private static final Duration MAX_RETRY = Duration.ofMinutes(5);

  private final int maxBytes;
  private final Consumer<byte[]> events;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private final ByteArrayOutputStream data = new ByteArrayOutputStream();
  private boolean firstLine = true;
  private boolean afterReturn;
  private boolean hasData;
  private String lastId = "";
  private Optional<Duration> retry = Optional.empty();

  /**
   * Creates a parser.
   *
   * @param maxBytes of one event
   */
  SseParser(int maxBytes, Consumer<byte[]> events) {
    this.maxBytes = maxBytes;
    this.events = events;
  }

  /**
   * Takes what came.
   *
   * @return whether the event is still within its bounds; if not there is no going on
   */
  boolean accept(ByteBuffer bytes) {
    while (bytes.hasRemaining()) {
      byte next = bytes.get();
      if (next == '\n' && afterReturn) {
        afterReturn = false; // the second half of one line end
      } else if (next == '\n' || next == '\r') {
        afterReturn = next == '\r';
        endLine();
      } else {
        afterReturn = false;
        line.write(next);
        if (line.size() + data.size() > maxBytes) {
          return false;
        }
      }
    }
    return true;
  }

  private void endLine() {
    byte[] bytes = line.toByteArray();
    line.reset();
    int start = firstLine && startsWithMark(bytes) ? BYTE_ORDER_MARK.length : 0;
    firstLine = false;
    if (bytes.length == start) {
      dispatch();
      return;
    }
    int colon = start;
    while (colon < bytes.length && bytes[colon] != ':') {
      colon++;
    }
    int value = colon + 1;
    if (value < bytes.length && bytes[value] == ' ') {
      value++;
    }
    field(
        new String(bytes, start, colon - start, StandardCharsets.UTF_8),
        bytes,
        Math.min(value, bytes.length));
  }

  private static boolean startsWithMark(byte[] bytes) {
    return bytes.length >= BYTE_ORDER_MARK.length
        && bytes[0] == BYTE_ORDER_MARK[0]
        && bytes[1] == BYTE_ORDER_MARK[1]
        && bytes[2] == BYTE_ORDER_MARK[2];
  }

  /** A comment has an empty name, and is ignored as every unknown field is. */
  private void field(String name, byte[] bytes, int start) {
    switch (name) {
      case "data" -> {
        if (hasData) {
          data.write('\n');
        }
        hasData = true;
        data.write(bytes, start, bytes.length - start);
      }
      case "id" -> {
        String id = new String(bytes, start, bytes.length - start, StandardCharsets.UTF_8);
        // It becomes a header of a request; one that can't is as good as none.
        lastId = id.length() <= MAX_ID && HeaderText.isPlain(id) ? id : "";
      }
      case "retry" -> retry(new String(bytes, start, bytes.length - start, StandardCharsets.UTF_8));
      default -> {}
    }
  }

  private void retry(String text) {
    if (text.length() <= 9 && !text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9')) {
      Duration asked = Duration.ofMillis(Long.parseLong(text));
      retry = Optional.of(asked.compareTo(MAX_RETRY) > 0 ? MAX_RETRY : asked);
    }
  }

  private void dispatch() {
    if (hasData) {
      byte[] bytes = data.toByteArray();
      data.reset();
      hasData = false;
      events.accept(bytes);
    }
  }

  /** The id of the last event that told one, or empty. */
  String lastId() {
    return lastId;
  }

  /** When the server wants its client back. */
  Optional<Duration> retry() {
    return retry;
  }
}
