package io.runstone.mcp.feature;

import io.runstone.concurrent.Causes;
import io.runstone.security.Scope;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

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

    /**
     * The same, but whatever goes wrong is a result, not a protocol error.
     *
     * @param words what clients are told of a failure; empty for those that are faults of this
     *     server, which are logged
     */
    default Handler withFailuresInWords(Function<Throwable, Optional<String>> words) {
      return call -> {
        CompletionStage<ToolResult> begun;
        try {
          begun = call(call);
        } catch (RuntimeException e) {
          begun = CompletableFuture.failedStage(e);
        }
        return begun.exceptionally(failure -> failed(Causes.of(failure), words));
      };
    }

    private static ToolResult failed(Throwable cause, Function<Throwable, Optional<String>> words) {
      return ToolResult.error(
          words
              .apply(cause)
              .orElseGet(
                  () -> {
                    LOG.log(System.Logger.Level.ERROR, "a tool failed", cause);
                    return "internal error; the server's log says more";
                  }));
    }
  }

  private static final System.Logger LOG = System.getLogger(Tool.class.getName());

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
