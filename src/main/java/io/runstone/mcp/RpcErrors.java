package io.runstone.mcp;

import io.modelcontextprotocol.json.McpJsonMapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** Writes a refused request's answer: a JSON-RPC error, and nothing of how it came about. */
final class RpcErrors {
  private RpcErrors() {}

  static void write(HttpServletResponse response, RpcException error, McpJsonMapper json)
      throws IOException {
    if (response.isCommitted()) {
      return;
    }
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("jsonrpc", "2.0");
    body.put("id", null);
    body.put("error", Map.of("code", error.code(), "message", String.valueOf(error.getMessage())));
    byte[] bytes = json.writeValueAsString(body).getBytes(StandardCharsets.UTF_8);
    response.setStatus(error.status());
    response.setContentType("application/json");
    response.setCharacterEncoding(StandardCharsets.UTF_8.name());
    response.setContentLength(bytes.length);
    response.getOutputStream().write(bytes);
  }
}
