package io.runstone.security.login;

import io.runstone.security.Challenge;
import jakarta.json.JsonBuilderFactory;
import jakarta.json.JsonObjectBuilder;
import jakarta.json.spi.JsonProvider;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * The answer to a request that does not get in. Immutable.
 *
 * @param error a sentence
 * @param headers what else the answer says
 */
record Refusal(int status, String error, Map<String, String> headers) {
  /** JSON-RPC 2.0, section 5.1: the request is not one that this server takes. */
  private static final int INVALID_REQUEST = -32600;

  static final int TOO_MANY_REQUESTS = 429;

  private static final JsonBuilderFactory JSON =
      JsonProvider.provider().createBuilderFactory(Map.of());

  Refusal {
    headers = Map.copyOf(headers);
  }

  static Refusal unauthorized(String error, String challenge) {
    return new Refusal(401, error, Map.of("WWW-Authenticate", challenge));
  }

  /** Writes it; a client of MCP looks for an error of JSON-RPC. */
  void write(HttpServletResponse response, String path) throws IOException {
    JsonObjectBuilder body = JSON.createObjectBuilder();
    if (path.equals(Challenge.MCP)) {
      body.add("jsonrpc", "2.0")
          .add(
              "error",
              JSON.createObjectBuilder().add("code", INVALID_REQUEST).add("message", error));
    } else {
      body.add("error", error);
      if (status == TOO_MANY_REQUESTS) { // where clients of the InstaVM API look for it
        body.add("detail", error);
      }
    }
    byte[] bytes = body.build().toString().getBytes(StandardCharsets.UTF_8);
    response.setStatus(status);
    headers.forEach(response::setHeader);
    response.setHeader("Cache-Control", "no-store");
    response.setContentType("application/json");
    response.setContentLength(bytes.length);
    response.getOutputStream().write(bytes);
  }
}
