package io.runstone.mcp.feature;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a tool answers. Immutable.
 *
 * @param structure the same for programs, if the tool has an output schema; values may be null
 * @param failed whether the tool could not do what was asked
 */
public record ToolResult(
    List<Content> content, Optional<Map<String, Object>> structure, boolean failed) {
  public ToolResult {
    content = List.copyOf(content);
    structure = structure.map(map -> Collections.unmodifiableMap(new LinkedHashMap<>(map)));
  }

  /** Text alone. */
  public static ToolResult text(String text) {
    return new ToolResult(List.of(new Content.Text(text)), Optional.empty(), false);
  }

  /** A request that could not be met; the sentence says what to do. */
  public static ToolResult error(String sentence) {
    return new ToolResult(List.of(new Content.Text(sentence)), Optional.empty(), true);
  }

  /** The same with a structure. */
  public ToolResult with(Map<String, Object> fields) {
    return new ToolResult(content, Optional.of(fields), failed);
  }
}
