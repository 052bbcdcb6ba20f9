package io.runstone.console;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/** Pieces of HTML; every text in them is escaped. Immutable. */
record Html(String source) {
  private static final String STYLE =
      "body{font:16px/1.5 system-ui,sans-serif;max-width:42rem;margin:2rem auto;padding:0 1rem}"
          + "section{border:1px solid #8886;border-radius:.5rem;padding:.5rem 1rem;margin:1rem 0}"
          + "section.asked{border-color:#06c;border-width:2px}h1{font-size:1.4rem}"
          + "h2{font-size:1.1rem;margin:.3rem 0}form{display:inline}"
          + "button,input{font:inherit;padding:.2rem .8rem}.note{background:#fe83;padding:.5rem}"
          + ":root{color-scheme:light dark}";

  /** Nothing but the style above is taken, and forms go to this server only. */
  static final String POLICY =
      "default-src 'none'; style-src '"
          + digest(STYLE)
          + "'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

  private static String digest(String style) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(style.getBytes(StandardCharsets.UTF_8));
      return "sha256-" + Base64.getEncoder().encodeToString(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  static Html text(String text) {
    return new Html(escaped(text));
  }

  /** An element with a text in it. */
  static Html element(String name, String text) {
    return new Html("<" + name + ">" + escaped(text) + "</" + name + ">");
  }

  /** An element of a class with others in it. */
  static Html block(String name, String cssClass, Html inside) {
    return new Html(
        "<" + name + " class=\"" + escaped(cssClass) + "\">" + inside.source + "</" + name + ">");
  }

  static Html link(String address, String text) {
    return new Html("<a href=\"" + escaped(address) + "\">" + escaped(text) + "</a>");
  }

  /** A form with a button. */
  static Html form(String action, Html fields, String button) {
    return new Html(
        "<form method=\"post\" action=\""
            + escaped(action)
            + "\">"
            + fields.source
            + "<button>"
            + escaped(button)
            + "</button></form>");
  }

  static Html hidden(String name, String value) {
    return new Html(
        "<input type=\"hidden\" name=\"" + escaped(name) + "\" value=\"" + escaped(value) + "\">");
  }

  static Html secret(String name, String label) {
    return new Html(
        "<label>"
            + escaped(label)
            + " <input type=\"password\" autocomplete=\"off\" required name=\""
            + escaped(name)
            + "\"></label> ");
  }

  Html and(Html more) {
    return new Html(source + more.source);
  }

  /** A whole page. */
  String page(String title) {
    return page(title, "");
  }

  /** A whole page that a browser leaves at once; forms themselves must not lead elsewhere. */
  String pageTo(String title, String address) {
    return page(title, "<meta http-equiv=\"refresh\" content=\"0;url=" + escaped(address) + "\">");
  }

  private String page(String title, String head) {
    return "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">"
        + "<meta name=\"viewport\" content=\"width=device-width\">"
        + head
        + "<title>"
        + escaped(title)
        + "</title><style>"
        + STYLE
        + "</style></head><body><h1>"
        + escaped(title)
        + "</h1>"
        + source
        + "</body></html>";
  }

  static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }
}
