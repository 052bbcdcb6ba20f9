package io.runstone.upstream.client;

import java.util.Collections;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a server says to a request. Immutable. */
sealed interface Answer {

  /**
   * The result.
   *
   * @param bytes of the answer on the wire
   * @param session {@code Mcp-Session-Id}, or empty
   */
  record Result(Map<String, Object> value, long bytes, String session) implements Answer {
    public Result {
      value = Collections.unmodifiableMap(value);
    }

    /** Leaves the value out, for it belongs in no log. */
    @Override
    public String toString() {
      return "Result[" + bytes + " bytes]";
    }
  }

  /**
   * A JSON-RPC error.
   *
   * @param status of HTTP
   */
  record Refusal(int status, long code, String message, @Nullable Object data) implements Answer {}

  /**
   * No answer but an HTTP status.
   *
   * @param retryAfter the header, or empty
   */
  record Status(int status, String retryAfter) implements Answer {}

  /**
   * Nothing that MCP knows.
   *
   * @param what it was, as part of a sentence
   */
  record Garbage(String what) implements Answer {}
}
