package io.runstone.mcp.feature;

import java.util.Map;
import java.util.concurrent.CompletionStage;

/**
 * A tool. Immutable.
 *
 * @param definition as {@code tools/list} shows it: name, description, schemas
 * @param handler does the work
 */
public record Tool(Map<String, Object> definition, Handler handler) {
  /** Does a tool's work. */
  @FunctionalInterface
  public interface Handler {
    /** Begins; waits for nothing. A failure of the stage is a protocol error. */
    CompletionStage<ToolResult> call(ToolCall call);
  }

  public Tool {
    definition = Map.copyOf(definition);
  }

  /** The tool's name. */
  public String name() {
    return String.valueOf(definition.get("name"));
  }
}
