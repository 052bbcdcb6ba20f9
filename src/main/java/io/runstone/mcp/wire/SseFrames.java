package io.runstone.mcp.wire;

import java.time.Duration;
import java.util.Map;

/** Event streams as MCP puts them on HTTP. Pure. */
public final class SseFrames {
  /** The media type of an event stream. */
  public static final String MEDIA_TYPE = "text/event-stream";

  /** What is written when there is nothing to say. */
  public static final String COMMENT = ": keep-alive\n\n";

  /** How long a stream may be quiet; it takes two or three writes to notice a lost client. */
  public static final Duration HEARTBEAT = Duration.ofMillis(2500);

  /** Headers that keep proxies from holding events back. */
  public static final Map<String, String> HEADERS =
      Map.of("Cache-Control", "no-cache, no-transform", "X-Accel-Buffering", "no");

  private SseFrames() {}

  /** A message without an id: it can't be asked for again. */
  public static String event(String json) {
    return "event: message\ndata: " + json + "\n\n";
  }

  /** A message that a client can say it has seen, see {@link EventId}. */
  public static String event(EventId id, String json) {
    return "id: " + id + "\n" + event(json);
  }

  /**
   * What a stream begins with so that its client can come back even before the first message, MCP
   * 2025-11-25.
   *
   * @param retry when to come back
   */
  public static String priming(EventId id, Duration retry) {
    return "id: " + id + "\nretry: " + retry.toMillis() + "\ndata: \n\n";
  }
}
