package io.runstone.mcp;

import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpSchema;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads JSON-RPC messages, and says in JSON-RPC's terms what is wrong with one. Pure. */
final class RpcMessages {
  private static final TypeRef<@Nullable Object> ANYTHING = new TypeRef<>() {};
  private static final TypeRef<McpSchema.InitializeRequest> INITIALIZE = new TypeRef<>() {};

  private static final Pattern VERSION = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}");
  private static final Set<String> UNDERSTOOD = Set.of("notifications/initialized");

  private RpcMessages() {}

  static McpSchema.JSONRPCMessage parse(byte[] body, McpJsonMapper json) throws RpcException {
    Object parsed;
    try {
      parsed = json.readValue(body, ANYTHING);
    } catch (IOException | IllegalArgumentException e) {
      throw new RpcException(400, RpcException.PARSE_ERROR, "the body is not JSON");
    }
    if (!(parsed instanceof Map<?, ?> message) || !"2.0".equals(message.get("jsonrpc"))) {
      throw invalid("the body is not one JSON-RPC 2.0 message");
    }
    try {
      return json.convertValue(message, kind(message));
    } catch (IllegalArgumentException e) {
      throw invalid("the body is not a JSON-RPC 2.0 message as MCP has them");
    }
  }

  private static Class<? extends McpSchema.JSONRPCMessage> kind(Map<?, ?> message)
      throws RpcException {
    if (message.get("method") instanceof String) {
      return message.containsKey("id")
          ? McpSchema.JSONRPCRequest.class
          : McpSchema.JSONRPCNotification.class;
    }
    if (message.containsKey("result") || message.containsKey("error")) {
      return McpSchema.JSONRPCResponse.class;
    }
    throw invalid("the message is neither a request nor a notification nor a response");
  }

  static McpSchema.InitializeRequest initializeRequest(
      McpSchema.JSONRPCRequest call, McpJsonMapper json) throws RpcException {
    try {
      if (call.params() != null) {
        return readable(json.convertValue(call.params(), INITIALIZE));
      }
    } catch (IllegalArgumentException e) {
      throw invalid("the parameters of initialize can't be read");
    }
    throw invalid("initialize needs protocolVersion, capabilities and clientInfo");
  }

  /** The SDK logs the version as it is; so that no client writes lines into the log, it is one. */
  private static McpSchema.InitializeRequest readable(McpSchema.InitializeRequest request) {
    String version = request.protocolVersion();
    return version != null && VERSION.matcher(version).matches()
        ? request
        : new McpSchema.InitializeRequest(
            "unknown", request.capabilities(), request.clientInfo(), request.meta());
  }

  /** The SDK logs notifications that it has no handler for, with what a client wrote into them. */
  static boolean isUnderstood(McpSchema.JSONRPCNotification notification) {
    return UNDERSTOOD.contains(notification.method());
  }

  private static RpcException invalid(String message) {
    return new RpcException(400, RpcException.INVALID_REQUEST, message);
  }
}
