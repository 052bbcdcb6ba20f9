package io.runstone.mcp.feature;

import io.runstone.security.Scope;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * A tool. Immutable.
 *
 * @param definition as {@code tools/list} shows it: name, description, schemas
 * @param scope what a caller has to be allowed; nothing when empty
 * @param handler does the work
 */
public record Tool(Map<String, Object> definition, Optional<Scope> scope, Handler handler) {
  /** Does a tool's work. */
  @FunctionalInterface
  public interface Handler {
    /** Begins; waits for nothing. A failure of the stage is a protocol error. */
    CompletionStage<ToolResult> call(ToolCall call);
  }

  public Tool {
    definition = Map.copyOf(definition);
  }

  /** A tool for everybody who is known. */
  public Tool(Map<String, Object> definition, Handler handler) {
    this(definition, Optional.empty(), handler);
  }

  /** The tool's name. */
  public String name() {
    return String.valueOf(definition.get("name"));
  }
}
