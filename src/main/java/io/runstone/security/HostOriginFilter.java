package io.runstone.security;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Refuses with 403, on every path, a request from a foreign {@code Host} or {@code Origin}, and
 * tells browsers to make nothing of any answer. There is no CORS: a page of another origin gets no
 * answer to read.
 */
public class HostOriginFilter extends HttpFilter {
  private static final long serialVersionUID = 1L;

  /** Answers are data: not to be sniffed, framed, run, or told to others. */
  private static final Map<String, String> HEADERS =
      Map.of(
          "X-Content-Type-Options",
          "nosniff",
          "Content-Security-Policy",
          "default-src 'none'; frame-ancestors 'none'",
          "Referrer-Policy",
          "no-referrer");

  private final transient AllowedHosts allowed;

  /** Creates the filter over the decision. */
  public HostOriginFilter(AllowedHosts allowed) {
    this.allowed = allowed;
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    HEADERS.forEach(response::setHeader);
    List<String> hosts = Collections.list(request.getHeaders("Host"));
    List<String> origins = Collections.list(request.getHeaders("Origin"));
    if (hosts.size() != 1 || !allowed.allowsHost(Optional.of(hosts.get(0)))) {
      refuse(response, "Host");
    } else if (!origins.stream().allMatch(origin -> allowed.allowsOrigin(Optional.of(origin)))) {
      refuse(response, "Origin");
    } else {
      chain.doFilter(request, response);
    }
  }

  private static void refuse(HttpServletResponse response, String header) throws IOException {
    response.setStatus(HttpServletResponse.SC_FORBIDDEN);
    response.setContentType("application/json");
    response.setCharacterEncoding("UTF-8");
    String body =
        "{\"error\":\"this "
            + header
            + " is not allowed; an administrator can add it to runstone.hosts\"}";
    response.getOutputStream().write(body.getBytes(StandardCharsets.UTF_8));
  }
}
