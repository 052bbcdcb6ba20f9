package io.runstone.security.login;

import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** Where a request carries a secret: in headers only, never in its query. Pure. */
public final class Credential {
  private static final String BEARER = "bearer ";

  private Credential() {}

  /** Every token in {@code Authorization: Bearer}. */
  public static List<String> bearer(HttpServletRequest request) {
    List<String> found = new ArrayList<>();
    for (String header : Collections.list(request.getHeaders("Authorization"))) {
      String value = header.strip() + " "; // a server may have cut it off after the scheme
      if (value.toLowerCase(Locale.ROOT).startsWith(BEARER)) {
        found.add(value.substring(BEARER.length()).strip());
      }
    }
    return found;
  }

  /** The same, and every {@code X-API-Key}. */
  public static List<String> keys(HttpServletRequest request) {
    List<String> found = bearer(request);
    Collections.list(request.getHeaders("X-API-Key")).forEach(key -> found.add(key.strip()));
    return found.stream().distinct().toList();
  }
}
