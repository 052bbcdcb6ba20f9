package io.runstone.sandbox;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Writes the plan for {@code launcher.py}; pure and stateless. Nothing is read here. */
final class Json {
  private Json() {}

  /**
   * The text of a value made of maps, lists, strings, whole numbers and booleans.
   *
   * @throws IllegalArgumentException if there is anything else in it
   */
  static String text(Object value) {
    if (value instanceof Map<?, ?> map) {
      return map.entrySet().stream()
          .map(entry -> quoted(String.valueOf(entry.getKey())) + ":" + text(entry.getValue()))
          .collect(Collectors.joining(",", "{", "}"));
    } else if (value instanceof List<?> list) {
      return list.stream().map(Json::text).collect(Collectors.joining(",", "[", "]"));
    } else if (value instanceof String string) {
      return quoted(string);
    } else if (value instanceof Long || value instanceof Integer || value instanceof Boolean) {
      return value.toString();
    }
    throw new IllegalArgumentException("not part of a plan: " + value.getClass());
  }

  private static String quoted(String string) {
    StringBuilder text = new StringBuilder("\"");
    for (int index = 0; index < string.length(); index++) {
      char c = string.charAt(index);
      if (c == '"' || c == '\\') {
        text.append('\\').append(c);
      } else if (c < 0x20 || c > 0x7e) {
        text.append("\\u%04x".formatted((int) c));
      } else {
        text.append(c);
      }
    }
    return text.append('"').toString();
  }
}
