package io.runstone.mcp.wire;

import io.runstone.http.Exchange;
import jakarta.servlet.http.HttpServletRequest;

/** What the transport demands of a request before its body is looked at. Pure. */
public final class RequestChecks {
  private static final String JSON = "application/json";

  private RequestChecks() {}

  /** Checks a {@code POST}. */
  public static void checkPost(HttpServletRequest request) throws RpcException {
    if (!Exchange.hasContentType(request, JSON)) {
      throw new RpcException(
          415, RpcException.INVALID_REQUEST, "send the message as Content-Type: application/json");
    }
    if (!Exchange.accepts(request, JSON) || !Exchange.accepts(request, SseFrames.MEDIA_TYPE)) {
      throw new RpcException(
          406,
          RpcException.INVALID_REQUEST,
          "send Accept: application/json, text/event-stream; the answer is one or the other");
    }
  }

  /** Checks a {@code GET}. */
  public static void checkGet(HttpServletRequest request) throws RpcException {
    if (!Exchange.accepts(request, SseFrames.MEDIA_TYPE)) {
      throw new RpcException(406, RpcException.INVALID_REQUEST, "send Accept: text/event-stream");
    }
  }
}
