package io.runstone.mcp.wire;

import io.modelcontextprotocol.modern.server.McpHeaders;
import io.modelcontextprotocol.modern.server.transport.McpHeaderDecoder;
import io.modelcontextprotocol.server.transport.HeaderAccessor;
import io.runstone.mcp.feature.McpSessionId;
import io.runstone.security.Requester;
import io.runstone.security.UserId;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * What a request says before its body, taken while the container's thread has it: by the time the
 * body is there the container may use the request for another. Immutable.
 *
 * @param versions every value of {@code MCP-Protocol-Version}
 * @param methods every value of {@code Mcp-Method}
 * @param names every value of {@code Mcp-Name}
 * @param mirrored the headers that repeat parts of the body, decoded
 */
public record RequestHead(
    Requester requester,
    Optional<McpSessionId> sessionId,
    Optional<String> lastEventId,
    List<String> versions,
    List<String> methods,
    List<String> names,
    McpHeaders mirrored) {
  public RequestHead {
    versions = List.copyOf(versions);
    methods = List.copyOf(methods);
    names = List.copyOf(names);
  }

  /** Reads the head of a request of somebody. */
  public static RequestHead of(Requester requester, HttpServletRequest request) {
    return new RequestHead(
        requester,
        first(request, "Mcp-Session-Id").map(McpSessionId::new),
        first(request, "Last-Event-ID"),
        values(request, "MCP-Protocol-Version"),
        values(request, "Mcp-Method"),
        values(request, "Mcp-Name"),
        McpHeaderDecoder.headers(new Headers(request)));
  }

  /** Whose request it is. */
  public UserId user() {
    return requester.user();
  }

  /** The protocol version that the header names. */
  public Optional<String> version() {
    return versions.stream().findFirst();
  }

  private static List<String> values(HttpServletRequest request, String name) {
    return Collections.list(request.getHeaders(name)).stream().map(String::strip).toList();
  }

  private static Optional<String> first(HttpServletRequest request, String name) {
    return values(request, name).stream().filter(value -> !value.isEmpty()).findFirst();
  }

  private record Headers(HttpServletRequest request) implements HeaderAccessor {
    @Override
    public List<String> getHeader(String name) {
      return values(request, name);
    }

    @Override
    public List<String> getHeaderNames() {
      return Collections.list(request.getHeaderNames());
    }
  }
}
