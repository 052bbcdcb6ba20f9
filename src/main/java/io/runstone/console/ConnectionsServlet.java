package io.runstone.console;

import io.runstone.security.Requester;
import io.runstone.upstream.credential.Connections;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/**
 * The pages where users connect and disconnect servers. Only a request of a browser's session gets
 * here, and what changes something has to come from a page of that session. Thread-safe.
 */
final class ConnectionsServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  private final transient Connections connections;
  private final transient BrowserSessions sessions;
  private final transient ConsoleCookie cookie;
  private final boolean canLogOut;

  /**
   * Creates the servlet.
   *
   * @param canLogOut whether a session is a login
   */
  ConnectionsServlet(
      Connections connections, BrowserSessions sessions, ConsoleCookie cookie, boolean canLogOut) {
    this.connections = connections;
    this.sessions = sessions;
    this.cookie = cookie;
    this.canLogOut = canLogOut;
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Optional<BrowserSession> session = BrowserSession.of(request);
    if (session.isEmpty()) {
      refuse(response);
    } else if (request.getServletPath().equals(ConsolePaths.CALLBACK)) {
      finish(session.orElseThrow(), request, response);
    } else if (request.getServletPath().equals(ConsolePaths.PAGE)) {
      String page =
          ConnectionsPage.render(
              connections.list(requester(request, session.orElseThrow())),
              session.orElseThrow(),
              ServerQuery.name(request),
              canLogOut);
      PageAnswer.write(response, HttpServletResponse.SC_OK, page);
    } else {
      PageAnswer.redirect(response, ConsolePaths.PAGE);
    }
  }

  /** Who it is now: the server's own login may grant less than when the session began. */
  private static Requester requester(HttpServletRequest request, BrowserSession session) {
    return request.getAttribute(Requester.ATTRIBUTE) instanceof Requester now
        ? now
        : session.requester();
  }

  /** What comes back from an authorization server is taken by GET only, once. */
  @Override
  protected void doHead(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    response.sendError(HttpServletResponse.SC_METHOD_NOT_ALLOWED);
  }

  private void finish(
      BrowserSession session, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Map<String, String> answer;
    try {
      answer = FormFields.of(request.getQueryString());
    } catch (IllegalArgumentException e) {
      PageAnswer.tell(
          response, HttpServletResponse.SC_BAD_REQUEST, "Not understood", "The answer is none.");
      return;
    }
    Later.answer(
        request,
        connections.finish(requester(request, session), session.id(), answer),
        (later, server) ->
            PageAnswer.redirect(later, ConsolePaths.PAGE + ServerQuery.of(server.value())));
  }

  @Override
  protected void doPost(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Optional<BrowserSession> known = BrowserSession.of(request);
    Map<String, String> fields;
    try {
      fields = FormFields.posted(request);
    } catch (IllegalArgumentException e) {
      fields = Map.of();
    }
    if (known.isEmpty() || !known.orElseThrow().sent(fields.getOrDefault("csrf", ""))) {
      refuse(response);
      return;
    }
    BrowserSession session = known.orElseThrow();
    Requester requester = requester(request, session);
    String server = fields.getOrDefault("server", "");
    switch (request.getServletPath()) {
      case ConsolePaths.CONNECT ->
          Later.answer(
              request,
              connections.connect(requester, server, session.id()),
              (later, link) ->
                  PageAnswer.write(later, HttpServletResponse.SC_OK, ConnectionsPage.leave(link)));
      case ConsolePaths.DISCONNECT ->
          Later.answer(
              request,
              connections.disconnect(requester, server),
              (later, done) -> PageAnswer.redirect(later, ConsolePaths.PAGE));
      case ConsolePaths.LOGOUT -> {
        sessions.end(session);
        cookie.take(response);
        PageAnswer.redirect(response, ConsolePaths.PAGE);
      }
      default -> refuse(response);
    }
  }

  private static void refuse(HttpServletResponse response) throws IOException {
    PageAnswer.tell(
        response,
        HttpServletResponse.SC_FORBIDDEN,
        "That did not work",
        "This request does not come from a page of this browser's session, so nothing was done.");
  }
}
