package io.runstone.console;

import io.runstone.upstream.ServerName;
import jakarta.servlet.http.HttpServletRequest;

/** The server that a link is about, in the query. Pure. */
final class ServerQuery {
  private ServerQuery() {}

  /** The name of the server; empty if there is none. */
  static String name(HttpServletRequest request) {
    try {
      String name = FormFields.of(request.getQueryString()).getOrDefault("server", "");
      return ServerName.isOne(name) ? name : "";
    } catch (IllegalArgumentException e) {
      return "";
    }
  }

  /** The same as a query; empty if there is none. */
  static String of(HttpServletRequest request) {
    return of(name(request));
  }

  /** A name as a query. */
  static String of(String name) {
    return name.isEmpty() ? "" : "?server=" + name;
  }
}
