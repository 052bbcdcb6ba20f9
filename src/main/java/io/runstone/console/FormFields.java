package io.runstone.console;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The fields of a query or of a small form, each at most once. Pure but for reading. */
final class FormFields {
  private static final int MAX_BYTES = 16 * 1024;

  private FormFields() {}

  /**
   * The fields of a query.
   *
   * @throws IllegalArgumentException if it can't be read, or has a field twice
   */
  static Map<String, String> of(@Nullable String text) {
    Map<String, String> fields = new HashMap<>();
    if (text == null || text.isEmpty()) {
      return fields;
    }
    for (String field : text.split("&", -1)) {
      int at = field.indexOf('=');
      String name = decoded(at < 0 ? field : field.substring(0, at));
      if (fields.put(name, at < 0 ? "" : decoded(field.substring(at + 1))) != null) {
        throw new IllegalArgumentException("a field is there twice");
      }
    }
    return fields;
  }

  /**
   * The fields of a form.
   *
   * @throws IllegalArgumentException if it is too large, can't be read, or has a field twice
   */
  static Map<String, String> posted(HttpServletRequest request) throws IOException {
    byte[] bytes = request.getInputStream().readNBytes(MAX_BYTES + 1);
    if (bytes.length > MAX_BYTES) {
      throw new IllegalArgumentException("the form is too large");
    }
    return of(new String(bytes, StandardCharsets.UTF_8));
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }
}
