package io.runstone.rest;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * Stands in for the server's HTML error pages, see {@code web.xml}: JSON, and no details.
 * Stateless.
 */
@WebServlet(
    urlPatterns = {"/error", ErrorServlet.METRICS, ErrorServlet.OPENAPI},
    asyncSupported = true)
public class ErrorServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  /** At the context root Payara answers these two itself, unless the application has the path. */
  static final String METRICS = "/metrics";

  static final String OPENAPI = "/openapi";

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    int status = status(request);
    ServletJson.write(response, status, ErrorAnswer.ofStatus(status).body());
  }

  /** A client that asks for this path itself finds nothing here. */
  private static int status(HttpServletRequest request) {
    return request.getDispatcherType() == DispatcherType.ERROR
            && request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE) instanceof Integer status
            && status >= 400
        ? status
        : 404;
  }
}
