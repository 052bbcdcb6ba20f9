package io.runstone.upstream.client;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** JSON-RPC 2.0 messages. Pure. */
final class Messages {
  private static final long METHOD_NOT_FOUND = -32601;

  private Messages() {}

  /** A request. */
  static Map<String, Object> request(long id, String method, Map<String, Object> params) {
    Map<String, Object> message = notification(method, params);
    message.put("id", id);
    return message;
  }

  /** A message that wants no answer. */
  static Map<String, Object> notification(String method, Map<String, Object> params) {
    Map<String, Object> message = new LinkedHashMap<>();
    message.put("jsonrpc", "2.0");
    message.put("method", method);
    if (!params.isEmpty()) {
      message.put("params", params);
    }
    return message;
  }

  /** What a server is told that asks something: we are there, and can do nothing else for it. */
  static Map<String, Object> answer(Object id, String method) {
    Map<String, Object> message = new LinkedHashMap<>();
    message.put("jsonrpc", "2.0");
    message.put("id", id);
    if (method.equals("ping")) {
      message.put("result", Map.of());
    } else {
      message.put(
          "error", Map.of("code", METHOD_NOT_FOUND, "message", "this client offers nothing"));
    }
    return message;
  }

  /** The method of a request or notification; empty for a response. */
  static String method(Map<String, Object> message) {
    return message.get("method") instanceof String method ? method : "";
  }

  /** Whether it is the id that a request of ours has. */
  static boolean isId(@Nullable Object value, long id) {
    return (value instanceof Integer || value instanceof Long)
        && ((Number) value).longValue() == id;
  }
}
