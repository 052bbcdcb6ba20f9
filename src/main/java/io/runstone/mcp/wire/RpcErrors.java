package io.runstone.mcp.wire;

import io.modelcontextprotocol.json.McpJsonMapper;
import io.runstone.concurrent.Causes;
import io.runstone.http.Exchange;
import io.runstone.http.RequestBody;
import io.runstone.security.InsufficientScopeException;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Answers refused requests: a JSON-RPC error, and nothing of how it came about. */
public final class RpcErrors {
  private static final System.Logger LOG = System.getLogger(RpcErrors.class.getName());
  private static final String JSON = "application/json";

  private RpcErrors() {}

  /** Answers a request that nothing was begun for. */
  public static void write(HttpServletResponse response, RpcException error, McpJsonMapper json)
      throws IOException {
    if (response.isCommitted()) {
      return;
    }
    byte[] bytes = bytes(Optional.empty(), error, json);
    response.setStatus(error.status());
    headers(error).forEach(response::setHeader);
    response.setContentType(JSON);
    response.setContentLength(bytes.length);
    response.getOutputStream().write(bytes);
  }

  /**
   * Answers and ends an exchange.
   *
   * @param id of the request, when that could be read
   */
  public static void answer(
      Exchange exchange, Optional<Object> id, RpcException error, McpJsonMapper json) {
    exchange.answer(error.status(), JSON, bytes(id, error, json), headers(error));
  }

  /** What to answer for any failure. */
  public static RpcException of(Throwable failure) {
    Throwable cause = Causes.of(failure);
    String message = String.valueOf(cause.getMessage());
    if (cause instanceof RpcException known) {
      return known;
    } else if (cause instanceof InsufficientScopeException scope) {
      return new RpcException(403, RpcException.INVALID_REQUEST, message)
          .with("WWW-Authenticate", scope.challenge());
    } else if (cause instanceof RequestBody.TooLargeException) {
      return new RpcException(413, RpcException.INVALID_REQUEST, message);
    } else if (cause instanceof RequestBody.TooSlowException) {
      return new RpcException(408, RpcException.INVALID_REQUEST, message);
    } else if (cause instanceof RequestBody.BusyException) {
      return new RpcException(503, RpcException.INTERNAL_ERROR, message);
    } else if (cause instanceof IOException) {
      return new RpcException(
          400, RpcException.PARSE_ERROR, "the request body could not be read to its end");
    }
    LOG.log(System.Logger.Level.ERROR, "a request to the MCP endpoint failed", cause);
    return new RpcException(500, RpcException.INTERNAL_ERROR, "internal error");
  }

  private static Map<String, String> headers(RpcException error) {
    return switch (error.status()) {
      case 503 -> Map.of("Retry-After", "1", "Connection", "close");
      case 405 -> Map.of("Allow", "GET, POST, DELETE");
      case 408, 413 -> Map.of("Connection", "close"); // the rest of the body may be on its way
      default -> error.headers();
    };
  }

  private static byte[] bytes(Optional<Object> id, RpcException error, McpJsonMapper json) {
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("code", error.code());
    details.put("message", String.valueOf(error.getMessage()));
    error.data().ifPresent(data -> details.put("data", data));
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("jsonrpc", "2.0");
    id.ifPresent(known -> body.put("id", known));
    body.put("error", details);
    try {
      return json.writeValueAsString(body).getBytes(StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException("an error is always JSON", e);
    }
  }
}
