package io.runstone.console;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Writes pages, which nobody keeps, frames or runs anything in. Stateless. */
final class PageAnswer {
  private PageAnswer() {}

  static void write(HttpServletResponse response, int status, String page) throws IOException {
    prepare(response);
    byte[] bytes = page.getBytes(StandardCharsets.UTF_8);
    response.setStatus(status);
    response.setContentType("text/html;charset=UTF-8");
    response.setContentLength(bytes.length);
    response.getOutputStream().write(bytes);
  }

  /** A page with one paragraph, and the way back to the list. */
  static void tell(HttpServletResponse response, int status, String title, String text)
      throws IOException {
    Html body =
        Html.block("p", "note", Html.text(text))
            .and(Html.block("p", "", Html.link(ConsolePaths.PAGE, "All servers")));
    write(response, status, body.page(title));
  }

  /** Sends the browser to an address, by GET. */
  static void redirect(HttpServletResponse response, String address) {
    prepare(response);
    response.setStatus(HttpServletResponse.SC_SEE_OTHER);
    response.setHeader("Location", address);
  }

  private static void prepare(HttpServletResponse response) {
    response.setHeader("Content-Security-Policy", Html.POLICY);
    response.setHeader("Cache-Control", "no-store");
    // With no-referrer browsers send "Origin: null" with forms, which is refused as foreign.
    response.setHeader("Referrer-Policy", "same-origin");
    response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
  }
}
