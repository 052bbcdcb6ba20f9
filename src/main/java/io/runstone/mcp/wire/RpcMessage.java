package io.runstone.mcp.wire;

import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.TypeRef;
import java.io.IOException;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A JSON-RPC 2.0 message of a client, checked as far as both eras have it in common. Immutable.
 *
 * @param fields as it was sent
 */
public record RpcMessage(Kind kind, Map<String, Object> fields) {
  public RpcMessage {
    fields = Collections.unmodifiableMap(fields);
  }

  private static final TypeRef<@Nullable Object> ANYTHING = new TypeRef<>() {};

  /** What a message is. */
  public enum Kind {
    REQUEST,
    NOTIFICATION,
    RESPONSE
  }

  /**
   * Reads a message.
   *
   * @throws RpcException with 400
   */
  public static RpcMessage parse(byte[] body, McpJsonMapper json) throws RpcException {
    Object parsed;
    try {
      parsed = json.readValue(body, ANYTHING);
    } catch (IOException | IllegalArgumentException e) {
      throw new RpcException(400, RpcException.PARSE_ERROR, "the body is not JSON");
    }
    if (!(parsed instanceof Map<?, ?> map) || !"2.0".equals(map.get("jsonrpc"))) {
      throw invalid("the body is not one JSON-RPC 2.0 message");
    }
    @SuppressWarnings("unchecked") // an object of JSON has no other keys
    Map<String, Object> fields = (Map<String, Object>) map;
    return new RpcMessage(kind(fields), fields);
  }

  private static Kind kind(Map<String, Object> fields) throws RpcException {
    if (fields.get("method") instanceof String) {
      if (!fields.containsKey("id")) {
        return Kind.NOTIFICATION;
      } else if (!isId(fields.get("id"))) {
        throw invalid("the id of a request is a string or an integer");
      }
      return Kind.REQUEST;
    } else if (fields.containsKey("result") || fields.containsKey("error")) {
      return Kind.RESPONSE;
    }
    throw invalid("the message is neither a request nor a notification nor a response");
  }

  /** Control characters are refused: the SDK logs ids as they are. */
  private static boolean isId(@Nullable Object id) {
    return id instanceof Integer
        || id instanceof Long
        || (id instanceof String text && text.chars().noneMatch(Character::isISOControl));
  }

  private static RpcException invalid(String message) {
    return new RpcException(400, RpcException.INVALID_REQUEST, message);
  }

  /** Its method; empty for a response. */
  public String method() {
    return fields.get("method") instanceof String method ? method : "";
  }

  /** Its id, if it is a request. */
  public Optional<Object> id() {
    return kind == Kind.REQUEST ? Optional.ofNullable(fields.get("id")) : Optional.empty();
  }

  /** Its parameters; empty when there are none, or when they are no object. */
  public Map<String, Object> params() {
    return object(fields.get("params"));
  }

  /** The metadata of its parameters. */
  public Map<String, Object> meta() {
    return object(params().get("_meta"));
  }

  @SuppressWarnings("unchecked") // an object of JSON has no other keys
  private static Map<String, Object> object(@Nullable Object value) {
    return value instanceof Map<?, ?> map ? (Map<String, Object>) map : Map.of();
  }
}
