package io.runstone.upstream.client;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which arguments of a tool are repeated as headers, MCP 2026-07-28, "Custom Headers from Tool
 * Parameters". Immutable.
 *
 * @param paths where the arguments are, by the name that follows {@code Mcp-Param-}
 */
record ParamHeaders(Map<String, List<String>> paths) {
  /** For tools that repeat nothing. */
  static final ParamHeaders NONE = new ParamHeaders(Map.of());

  private static final String KEY = "x-mcp-header";
  private static final Set<String> TYPES = Set.of("string", "integer", "boolean");

  /** Keywords whose values are instances, not schemas. */
  private static final Set<String> VALUES = Set.of("default", "enum", "const", "examples");

  ParamHeaders {
    paths = Map.copyOf(paths);
  }

  /**
   * Reads a tool's input schema; empty if it breaks the rules, so that the tool may not be used.
   */
  static Optional<ParamHeaders> of(Map<String, Object> tool) {
    Map<String, Object> schema = Json.child(tool.get("inputSchema"));
    Map<String, List<String>> found = new TreeMap<>();
    return walk(schema, List.of(), found) ? Optional.of(new ParamHeaders(found)) : Optional.empty();
  }

  /** Whether a schema that properties alone lead to keeps to the rules. */
  private static boolean walk(
      Map<String, Object> schema, List<String> path, Map<String, List<String>> found) {
    if (schema.containsKey(KEY) && !add(schema, path, found)) {
      return false;
    }
    for (Map.Entry<String, Object> property : Json.child(schema.get("properties")).entrySet()) {
      List<String> deeper = Stream.concat(path.stream(), Stream.of(property.getKey())).toList();
      if (!walk(Json.child(property.getValue()), deeper, found)) {
        return false;
      }
    }
    return schema.entrySet().stream()
        .filter(keyword -> !keyword.getKey().equals("properties"))
        .filter(keyword -> !VALUES.contains(keyword.getKey()))
        .noneMatch(keyword -> mentions(keyword.getValue()));
  }

  private static boolean add(
      Map<String, Object> schema, List<String> path, Map<String, List<String>> found) {
    return !path.isEmpty()
        && schema.get(KEY) instanceof String name
        && HeaderText.isToken(name)
        && isPrimitive(schema.get("type"))
        && found.putIfAbsent(name.toLowerCase(Locale.ROOT), path) == null;
  }

  private static boolean isPrimitive(@Nullable Object type) {
    if (type instanceof List<?> several) {
      List<?> types = several.stream().filter(one -> !"null".equals(one)).toList();
      return types.size() == 1 && TYPES.contains(types.get(0));
    }
    return type instanceof String && TYPES.contains(type);
  }

  /** Whether there is an annotation in a place where none may be. */
  private static boolean mentions(@Nullable Object value) {
    if (value instanceof List<?> list) {
      return list.stream().anyMatch(ParamHeaders::mentions);
    }
    Map<String, Object> map = Json.child(value);
    return map.containsKey(KEY)
        || map.entrySet().stream()
            .filter(entry -> !VALUES.contains(entry.getKey()))
            .anyMatch(entry -> mentions(entry.getValue()));
  }

  /** The headers of a call. */
  Map<String, String> headers(Map<String, Object> arguments) {
    Map<String, String> headers = new LinkedHashMap<>();
    paths.forEach(
        (name, path) ->
            text(at(arguments, path))
                .ifPresent(text -> headers.put("Mcp-Param-" + name, HeaderText.encode(text))));
    return headers;
  }

  private static @Nullable Object at(Map<String, Object> arguments, List<String> path) {
    Map<String, Object> map = arguments;
    for (String step : path.subList(0, path.size() - 1)) {
      map = Json.child(map.get(step));
    }
    return map.get(path.get(path.size() - 1));
  }

  private static Optional<String> text(@Nullable Object value) {
    if (value instanceof Double number && number == Math.rint(number)) {
      return Optional.of(String.valueOf(number.longValue()));
    }
    return value instanceof String || value instanceof Number || value instanceof Boolean
        ? Optional.of(String.valueOf(value))
        : Optional.empty();
  }
}
