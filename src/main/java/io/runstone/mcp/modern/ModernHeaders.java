package io.runstone.mcp.modern;

import io.modelcontextprotocol.modern.server.McpHeader;
import io.runstone.mcp.wire.RequestHead;
import io.runstone.mcp.wire.RpcException;
import io.runstone.mcp.wire.RpcMessage;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Whether the headers say what the body says, MCP 2026-07-28, "Transports": so that a proxy that
 * decides by the headers decides about what is then done. Pure.
 */
final class ModernHeaders {
  static final String VERSION = "2026-07-28";
  static final String VERSION_KEY = "io.modelcontextprotocol/protocolVersion";

  private static final Map<String, String> NAMED =
      Map.of(
          "tools/call", "name",
          "prompts/get", "name",
          "resources/read", "uri",
          "tasks/get", "taskId",
          "tasks/update", "taskId",
          "tasks/cancel", "taskId");

  private ModernHeaders() {}

  /**
   * Checks a request.
   *
   * @throws RpcException with 400
   */
  static void check(RequestHead head, RpcMessage request) throws RpcException {
    checkVersion(head, request);
    only("Mcp-Method", head.methods(), request.method());
    String key = NAMED.get(request.method());
    if (key != null && request.params().get(key) instanceof String name) {
      checkName(head, name);
    }
  }

  private static void checkVersion(RequestHead head, RpcMessage request) throws RpcException {
    Optional<String> claimed =
        Optional.ofNullable(request.meta().get(VERSION_KEY))
            .filter(String.class::isInstance)
            .map(String.class::cast);
    if (claimed.isPresent()) {
      only("MCP-Protocol-Version", head.versions(), claimed.orElseThrow());
    }
    Optional<String> version = claimed.or(head::version);
    if (version.isPresent() && !version.orElseThrow().equals(VERSION)) {
      throw new RpcException(
          400,
          RpcException.UNSUPPORTED_VERSION,
          "this protocol version is not supported",
          Optional.of(Map.of("supported", List.of(VERSION), "requested", version.orElseThrow())));
    }
  }

  private static void checkName(RequestHead head, String name) throws RpcException {
    if (head.names().size() != 1) {
      throw mismatch("send Mcp-Name once");
    }
    McpHeader header = head.mirrored().get("Mcp-Name");
    if (header == null || !name.equals(header.value())) {
      throw mismatch("Mcp-Name is not what the body names");
    }
  }

  private static void only(String header, List<String> values, String expected)
      throws RpcException {
    if (values.size() != 1) {
      throw mismatch("send " + header + " once");
    } else if (!values.get(0).equals(expected)) {
      throw mismatch(header + " is not what the body says");
    }
  }

  private static RpcException mismatch(String message) {
    return new RpcException(400, RpcException.HEADER_MISMATCH, message);
  }
}
