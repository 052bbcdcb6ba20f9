package io.runstone.security.login;

import io.runstone.security.Challenge;
import io.runstone.security.RequestRate;
import io.runstone.security.Requester;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Refuses the requests of users who send too many. Stands behind the login, for it is users who are
 * counted; the MCP endpoint counts for itself, since a tool call is refused as a tool call.
 * Thread-safe.
 */
public final class RequestRateFilter extends HttpFilter {
  private static final long serialVersionUID = 1L;

  private final transient RequestRate rate;

  /** Creates the filter over what each user may send. */
  public RequestRateFilter(RequestRate rate) {
    this.rate = rate;
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    String path = request.getRequestURI().substring(request.getContextPath().length());
    Optional<Duration> wait =
        request.getAttribute(Requester.ATTRIBUTE) instanceof Requester requester
                && !path.equals(Challenge.MCP)
            ? rate.refuses(requester.user())
            : Optional.empty();
    if (wait.isPresent()) {
      new Refusal(
              Refusal.TOO_MANY_REQUESTS,
              rate.sentence(),
              Map.of("Retry-After", RequestRate.seconds(wait.orElseThrow())))
          .write(response, path);
    } else {
      chain.doFilter(request, response);
    }
  }
}
