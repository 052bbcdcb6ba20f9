package io.runstone.console;

import io.runstone.security.login.Authenticator;
import io.runstone.security.login.Login;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;

/**
 * The login of every request, with a browser's session added: it counts on the pages and nowhere
 * else, so that no page of another site can have a browser use the API. Thread-safe.
 */
final class ConsoleAuthenticator implements Authenticator {
  private final Authenticator api;
  private final BrowserLogin browsers;
  private final BrowserSessions sessions;
  private final ConsoleCookie cookie;

  ConsoleAuthenticator(
      Authenticator api, BrowserLogin browsers, BrowserSessions sessions, ConsoleCookie cookie) {
    this.api = api;
    this.browsers = browsers;
    this.sessions = sessions;
    this.cookie = cookie;
  }

  @Override
  public Login authenticate(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    String path = request.getRequestURI().substring(request.getContextPath().length());
    if (!ConsolePaths.OF_SESSION.contains(path)) {
      return api.authenticate(request, response);
    } else if (browsers instanceof BrowserLogin.OfRequest) {
      return ofRequest(request, response);
    }
    Optional<BrowserSession> session = sessions.find(cookie.of(request));
    if (session.isEmpty()) {
      return ask(request, response, path);
    } else if (!browsers.stands(session.orElseThrow().requester())) {
      sessions.end(session.orElseThrow());
      return ask(request, response, path);
    }
    session.orElseThrow().leaveIn(request);
    return new Login.Accepted(session.orElseThrow().requester().at(request.getRemoteAddr()));
  }

  /** The session then only binds what a browser began to that browser. */
  private Login ofRequest(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Login login = api.authenticate(request, response);
    if (login instanceof Login.Accepted accepted) {
      sessions
          .find(cookie.of(request))
          .filter(known -> known.requester().user().equals(accepted.requester().user()))
          .orElseGet(
              () -> {
                BrowserSessions.Opened opened = sessions.open(accepted.requester());
                cookie.give(response, opened.cookie(), BrowserSessions.LIFE);
                return opened.session();
              })
          .leaveIn(request);
    }
    return login;
  }

  private static Login ask(HttpServletRequest request, HttpServletResponse response, String path)
      throws IOException {
    if (path.equals(ConsolePaths.PAGE)) {
      PageAnswer.redirect(response, ConsolePaths.LOGIN + ServerQuery.of(request));
    } else {
      PageAnswer.tell(
          response,
          HttpServletResponse.SC_FORBIDDEN,
          "You are not logged in",
          "This browser is not logged in here, or not any more, so nothing was done.");
    }
    return new Login.Answered();
  }

  @Override
  public void close() {
    api.close();
  }
}
