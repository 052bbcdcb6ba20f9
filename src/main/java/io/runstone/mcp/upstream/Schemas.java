package io.runstone.mcp.upstream;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** JSON schemas in a few words. Pure; what is no sensible schema is shown as little. */
final class Schemas {
  private static final int MAX_PARAMETERS = 8;
  private static final int MAX_NAME = 40;

  private Schemas() {}

  /**
   * What a tool takes, required parameters first, such as {@code (text: string, limit?: integer)}.
   */
  static String signature(@Nullable Object schema) {
    if (!(schema instanceof Map<?, ?> object)
        || !(object.get("properties") instanceof Map<?, ?> properties)) {
      return "()";
    }
    List<?> required = object.get("required") instanceof List<?> names ? names : List.of();
    List<String> shown = new ArrayList<>();
    properties.forEach(
        (name, type) -> {
          if (required.contains(name)) {
            shown.add(name(name) + ": " + type(type));
          }
        });
    properties.forEach(
        (name, type) -> {
          if (!required.contains(name)) {
            shown.add(name(name) + "?: " + type(type));
          }
        });
    String more = shown.size() > MAX_PARAMETERS ? ", …" : "";
    return shown.stream().limit(MAX_PARAMETERS).collect(Collectors.joining(", ", "(", more + ")"));
  }

  private static String name(@Nullable Object name) {
    String line = ToolText.line(String.valueOf(name));
    return line.length() > MAX_NAME ? line.substring(0, MAX_NAME) + "…" : line;
  }

  private static String type(@Nullable Object schema) {
    if (!(schema instanceof Map<?, ?> object)) {
      return "any";
    }
    if (object.get("type") instanceof String type) {
      return name(type);
    } else if (object.get("type") instanceof List<?> types) {
      return types.stream().map(Schemas::name).collect(Collectors.joining("|"));
    } else if (object.get("anyOf") instanceof List<?> choices) {
      return choices.stream()
          .limit(4)
          .map(Schemas::type)
          .distinct()
          .collect(Collectors.joining("|"));
    }
    return "any";
  }
}
