package io.runstone.console;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;

/**
 * A cookie of the pages: no script sees it, and no other site's page has it sent but by a link.
 * With HTTPS it is bound to this very host. Immutable.
 *
 * @param secure whether browsers reach this server by HTTPS
 */
record ConsoleCookie(String plainName, boolean secure) {

  private String name() {
    return secure ? "__Host-" + plainName : plainName;
  }

  /** What a request has; none if there are several, one of which somebody slipped in. */
  Optional<String> of(HttpServletRequest request) {
    Cookie[] cookies = request.getCookies();
    if (cookies == null) {
      return Optional.empty();
    }
    String name = name();
    String[] found =
        Arrays.stream(cookies)
            .filter(cookie -> cookie.getName().equals(name))
            .map(Cookie::getValue)
            .toArray(String[]::new);
    return found.length == 1 ? Optional.of(found[0]) : Optional.empty();
  }

  /** Gives it to a browser. */
  void give(HttpServletResponse response, String value, Duration life) {
    response.addHeader(
        "Set-Cookie",
        name()
            + "="
            + value
            + (secure ? "; Path=/" : "; Path=" + ConsolePaths.PAGE)
            + "; Max-Age="
            + life.toSeconds()
            + "; HttpOnly; SameSite=Lax"
            + (secure ? "; Secure" : ""));
  }

  /** Takes it away from a browser. */
  void take(HttpServletResponse response) {
    give(response, "", Duration.ZERO);
  }
}
