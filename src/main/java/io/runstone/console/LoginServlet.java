package io.runstone.console;

import io.runstone.security.login.Login;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;

/** Logs browsers in, in the way that is configured for the API. Thread-safe. */
final class LoginServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;
  private static final Duration ATTEMPT = Duration.ofMinutes(10);

  private final transient BrowserLogin browsers;
  private final transient BrowserSessions sessions;
  private final transient ConsoleCookie cookie;
  private final transient ConsoleCookie attempt;

  LoginServlet(BrowserLogin browsers, BrowserSessions sessions, ConsoleCookie cookie) {
    this.browsers = browsers;
    this.sessions = sessions;
    this.cookie = cookie;
    this.attempt = new ConsoleCookie("runstone-login", cookie.secure());
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    String server = ServerQuery.name(request);
    if (browsers instanceof BrowserLogin.OpenId openId) {
      if (request.getRequestURI().endsWith(ConsolePaths.LOGIN_CALLBACK)) {
        finish(openId.login(), request, response);
      } else {
        begin(openId.login(), server, request);
      }
    } else if (browsers instanceof BrowserLogin.Key) {
      PageAnswer.write(response, HttpServletResponse.SC_OK, form(server, ""));
    } else if (browsers instanceof BrowserLogin.Impossible impossible) {
      PageAnswer.tell(
          response,
          HttpServletResponse.SC_SERVICE_UNAVAILABLE,
          "Nobody can log in here",
          impossible.cure());
    } else {
      PageAnswer.redirect(response, ConsolePaths.PAGE + ServerQuery.of(server));
    }
  }

  /** An answer of an issuer is taken by GET only, once. */
  @Override
  protected void doHead(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    response.sendError(HttpServletResponse.SC_METHOD_NOT_ALLOWED);
  }

  @Override
  protected void doPost(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (!(browsers instanceof BrowserLogin.Key key)) {
      response.sendError(HttpServletResponse.SC_METHOD_NOT_ALLOWED);
      return;
    }
    Map<String, String> fields;
    try {
      fields = FormFields.posted(request);
    } catch (IllegalArgumentException e) {
      fields = Map.of();
    }
    String server = ServerQuery.name(request);
    Login login = key.keys().check(fields.getOrDefault("key", "").strip(), request.getRemoteAddr());
    if (login instanceof Login.Rejected rejected) {
      PageAnswer.write(response, HttpServletResponse.SC_FORBIDDEN, form(server, rejected.reason()));
    } else {
      enter(response, login, server);
    }
  }

  private static String form(String server, String trouble) {
    Html note = trouble.isEmpty() ? Html.text("") : Html.block("p", "note", Html.text(trouble));
    return note.and(
            Html.form(
                ConsolePaths.LOGIN + ServerQuery.of(server),
                Html.secret("key", "Your API key"),
                "Log in"))
        .page("Log in to Runstone");
  }

  private void begin(OpenIdLogin login, String server, HttpServletRequest request) {
    Later.answer(
        request,
        login.begin(server),
        (response, start) -> {
          attempt.give(response, start.cookie(), ATTEMPT);
          PageAnswer.redirect(response, start.link().toString());
        });
  }

  private void finish(OpenIdLogin login, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Map<String, String> answer;
    try {
      answer = FormFields.of(request.getQueryString());
    } catch (IllegalArgumentException e) {
      PageAnswer.tell(
          response, HttpServletResponse.SC_BAD_REQUEST, "Not understood", "The answer is none.");
      return;
    }
    attempt.take(response);
    Later.answer(
        request,
        login.finish(answer, attempt.of(request), request.getRemoteAddr()),
        (later, done) -> enter(later, done.login(), done.server()));
  }

  /** A new session whatever was before, so that nobody can prepare one for another. */
  private void enter(HttpServletResponse response, Login login, String server) throws IOException {
    if (login instanceof Login.Accepted accepted) {
      cookie.give(response, sessions.open(accepted.requester()).cookie(), BrowserSessions.LIFE);
      PageAnswer.redirect(response, ConsolePaths.PAGE + ServerQuery.of(server));
    } else {
      PageAnswer.tell(
          response,
          HttpServletResponse.SC_FORBIDDEN,
          "You are not logged in",
          login instanceof Login.Rejected rejected
              ? "The login was refused: " + rejected.reason() + "."
              : "Your login can't be checked at the moment; try again later.");
    }
  }
}
