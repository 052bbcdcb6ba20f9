package io.runstone.security.login;

import io.runstone.security.Challenge;
import io.runstone.security.Requester;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Lets no request through of which it is not known who sent it, on every path but those that say
 * how the server is and how to log in. Thread-safe.
 */
public final class AuthenticationFilter extends HttpFilter {
  private static final long serialVersionUID = 1L;

  /** Compared as they are sent, so that no other spelling of another path is taken for one. */
  private static final Set<String> OPEN =
      Set.of(
          "/health",
          "/health/live",
          "/health/ready",
          "/health/started",
          Challenge.METADATA,
          Challenge.METADATA + Challenge.MCP);

  private final HashSet<String> open;
  private final transient Authenticator authenticator;
  private final transient Challenge challenge;
  private final transient LoginRefusals refusals;

  /** Creates the filter over the login. */
  public AuthenticationFilter(
      Authenticator authenticator, Challenge challenge, LoginRefusals refusals) {
    this(authenticator, challenge, refusals, Set.of());
  }

  /**
   * Creates the filter over the login.
   *
   * @param more paths that need no login, such as those where one logs in
   */
  public AuthenticationFilter(
      Authenticator authenticator, Challenge challenge, LoginRefusals refusals, Set<String> more) {
    this.open = new HashSet<>(OPEN);
    open.addAll(more);
    this.authenticator = authenticator;
    this.challenge = challenge;
    this.refusals = refusals;
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    String path = request.getRequestURI().substring(request.getContextPath().length());
    if (open.contains(path)) {
      chain.doFilter(request, response);
      return;
    }
    Login login = authenticator.authenticate(request, response);
    if (login instanceof Login.Accepted accepted) {
      request.setAttribute(Requester.ATTRIBUTE, accepted.requester());
      chain.doFilter(request, response);
    } else if (!(login instanceof Login.Answered)) {
      refused(login, request.getRemoteAddr());
      refusal(login, path).write(response, path);
    }
  }

  /** To come without a login is how many clients begin, and nothing to be recorded. */
  private void refused(Login login, String address) {
    if (login instanceof Login.Rejected rejected) {
      refusals.record(address, rejected.reason());
    } else if (login instanceof Login.Forbidden) {
      refusals.record(address, "not from this address");
    }
  }

  private Refusal refusal(Login login, String path) {
    if (login instanceof Login.Forbidden forbidden) {
      return new Refusal(403, forbidden.reason(), Map.of());
    } else if (login instanceof Login.Unavailable) {
      return new Refusal(
          503,
          "your login can't be checked at the moment; try again later",
          Map.of("Retry-After", "5"));
    } else if (login instanceof Login.Rejected rejected) {
      return Refusal.unauthorized(rejected.reason(), challenge.invalid(path, rejected.reason()));
    }
    return Refusal.unauthorized(
        "this server wants to know who you are; send Authorization: Bearer with your key or token",
        challenge.missing(path));
  }
}
