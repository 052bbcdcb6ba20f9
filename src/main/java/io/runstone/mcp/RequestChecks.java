package io.runstone.mcp;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Arrays;
import java.util.Collections;
import java.util.Locale;
import java.util.stream.Stream;

/** What the transport demands of a request's head, before its body is looked at. Pure. */
final class RequestChecks {
  private static final String JSON = "application/json";
  private static final String EVENT_STREAM = "text/event-stream";

  private RequestChecks() {}

  static void checkPost(HttpServletRequest request) throws RpcException {
    String type = request.getContentType();
    if (type == null || !mediaType(type).equals(JSON)) {
      throw new RpcException(
          415, RpcException.INVALID_REQUEST, "send the message as Content-Type: application/json");
    }
    if (!accepts(request, JSON) || !accepts(request, EVENT_STREAM)) {
      throw new RpcException(
          406,
          RpcException.INVALID_REQUEST,
          "send Accept: application/json, text/event-stream; the answer is an event stream");
    }
    checkVersion(request);
  }

  static void checkGet(HttpServletRequest request) throws RpcException {
    if (!accepts(request, EVENT_STREAM)) {
      throw new RpcException(406, RpcException.INVALID_REQUEST, "send Accept: text/event-stream");
    }
    checkVersion(request);
  }

  /**
   * MCP 2025-06-18, "Protocol Version Header": an unsupported one is 400, a missing one is fine.
   */
  static void checkVersion(HttpServletRequest request) throws RpcException {
    String version = request.getHeader("MCP-Protocol-Version");
    if (version != null && !McpSessions.PROTOCOL_VERSIONS.contains(version.strip())) {
      throw new RpcException(
          400,
          RpcException.INVALID_REQUEST,
          "this MCP-Protocol-Version is not supported; use one of "
              + String.join(", ", McpSessions.PROTOCOL_VERSIONS));
    }
  }

  static McpSessionId sessionId(HttpServletRequest request) throws RpcException {
    String id = request.getHeader("Mcp-Session-Id");
    if (id == null || id.isBlank()) {
      throw new RpcException(
          400, RpcException.INVALID_REQUEST, "send the Mcp-Session-Id that initialize returned");
    }
    return new McpSessionId(id.strip());
  }

  /** RFC 9110 section 12.5.1, without weights: a request without the field accepts everything. */
  private static boolean accepts(HttpServletRequest request, String type) {
    String family = type.substring(0, type.indexOf('/')) + "/*";
    return Collections.list(request.getHeaders("Accept")).isEmpty()
        || ranges(request).anyMatch(r -> r.equals(type) || r.equals(family) || r.equals("*/*"));
  }

  private static Stream<String> ranges(HttpServletRequest request) {
    return Collections.list(request.getHeaders("Accept")).stream()
        .flatMap(header -> Arrays.stream(header.split(",")))
        .map(RequestChecks::mediaType);
  }

  private static String mediaType(String value) {
    return value.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
  }
}
