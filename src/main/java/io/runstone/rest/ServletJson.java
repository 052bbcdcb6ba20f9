package io.runstone.rest;

import jakarta.json.JsonObject;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Writes JSON where JAX-RS is not in charge. */
final class ServletJson {
  private ServletJson() {}

  static void write(HttpServletResponse response, int status, JsonObject json) throws IOException {
    byte[] body = JsonAnswer.bytes(json);
    response.setStatus(status);
    response.setContentType("application/json");
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
  }
}
