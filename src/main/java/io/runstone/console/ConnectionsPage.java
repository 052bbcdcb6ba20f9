package io.runstone.console;

import io.runstone.upstream.credential.Connections;
import java.net.URI;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

/** How the list of servers looks. Pure. */
final class ConnectionsPage {
  private ConnectionsPage() {}

  /**
   * The list.
   *
   * @param asked the server that a link is about, shown first; empty for none
   */
  static String render(
      List<Connections.Connection> connections,
      BrowserSession session,
      String asked,
      boolean canLogOut) {
    Html csrf = Html.hidden("csrf", session.csrf());
    Html body = Html.element("p", "You are " + session.requester().user() + ".");
    if (canLogOut) {
      body = body.and(Html.form(ConsolePaths.LOGOUT, csrf, "Log out"));
    }
    if (connections.isEmpty()) {
      body = body.and(Html.element("p", "There is no server that you can connect."));
    }
    List<Connections.Connection> sorted = new ArrayList<>(connections);
    sorted.sort(Comparator.comparing(one -> !one.name().value().equals(asked)));
    for (Connections.Connection one : sorted) {
      boolean isAsked = one.name().value().equals(asked);
      body = body.and(Html.block("section", isAsked ? "asked" : "", section(one, csrf)));
    }
    return body.page("Servers that act for you");
  }

  private static Html section(Connections.Connection one, Html csrf) {
    Html fields = csrf.and(Html.hidden("server", one.name().value()));
    Html html =
        Html.element("h2", one.title() + " (" + one.name() + ")")
            .and(Html.element("p", one.description()));
    if (!one.connected()) {
      return html.and(Html.element("p", "Not connected."))
          .and(Html.form(ConsolePaths.CONNECT, fields, "Connect"));
    }
    if (!one.lacking().isEmpty()) {
      html =
          html.and(
                  Html.element(
                      "p",
                      "Connected, but it wants more: "
                          + String.join(", ", new TreeSet<>(one.lacking()))))
              .and(Html.form(ConsolePaths.CONNECT, fields, "Allow more"));
    } else {
      html = html.and(Html.element("p", "Connected."));
    }
    return html.and(Html.form(ConsolePaths.DISCONNECT, fields, "Disconnect"));
  }

  /** Tells where the browser goes next. */
  static String leave(URI link) {
    return Html.element("p", "You consent at " + link.getHost() + ".")
        .and(Html.block("p", "", Html.link(link.toString(), "Continue")))
        .pageTo("Connect", link.toString());
  }
}
