package io.runstone.console;

import io.runstone.upstream.oauth.ClientDocument;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Tells authorization servers what this server is, as a client of theirs. Thread-safe. */
final class ClientDocumentServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  private final byte[] document;

  ClientDocumentServlet(ClientDocument document) {
    this.document = document.json().getBytes(StandardCharsets.UTF_8);
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    response.setHeader("Cache-Control", "public, max-age=300");
    response.setContentType("application/json");
    response.setContentLength(document.length);
    response.getOutputStream().write(document);
  }
}
