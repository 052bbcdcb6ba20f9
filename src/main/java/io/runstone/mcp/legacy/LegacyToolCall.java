package io.runstone.mcp.legacy;

import io.modelcontextprotocol.server.McpAsyncServerExchange;
import io.modelcontextprotocol.spec.McpSchema;
import io.runstone.kernel.Cancellation;
import io.runstone.mcp.feature.LogLevel;
import io.runstone.mcp.feature.McpSessionId;
import io.runstone.mcp.feature.ToolCall;
import io.runstone.security.Requester;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * A call of a tool in an MCP session. Thread-safe.
 *
 * @param progressToken null when the client wants no progress
 * @param watchInterval how often to look for the client of a tool that wants that
 */
record LegacyToolCall(
    ServerCall call,
    McpAsyncServerExchange exchange,
    Map<String, Object> arguments,
    @Nullable Object progressToken,
    Duration watchInterval)
    implements ToolCall {

  @Override
  public Requester requester() {
    return call.requester();
  }

  @Override
  public Optional<McpSessionId> mcpSession() {
    return Optional.of(new McpSessionId(exchange.sessionId()));
  }

  @Override
  public Cancellation cancellation() {
    return call.cancellation();
  }

  @Override
  public void watchClient() {
    call.stream().watch(watchInterval);
  }

  @Override
  public boolean wantsProgress() {
    return progressToken != null;
  }

  @Override
  public void progress(double value, OptionalDouble total, String message) {
    if (progressToken != null) {
      exchange
          .progressNotification(
              new McpSchema.ProgressNotification(
                  progressToken,
                  value,
                  total.isPresent() ? total.orElseThrow() : null,
                  message,
                  null))
          .subscribe();
    }
  }

  @Override
  @SuppressWarnings("deprecation") // newer revisions drop log messages; these have them
  public void log(LogLevel level, String message) {
    exchange
        .loggingNotification(
            McpSchema.LoggingMessageNotification.builder(
                    McpSchema.LoggingLevel.valueOf(level.name()), message)
                .logger("runstone")
                .build())
        .subscribe();
  }

  /** Has the client come back on another connection, which its protocol provides for. */
  void disconnect() {
    call.stream().disconnect();
  }

  @Override
  public <T> Optional<T> unwrap(Class<T> type) {
    if (type.isInstance(exchange)) {
      return Optional.of(type.cast(exchange));
    }
    return type.isInstance(this) ? Optional.of(type.cast(this)) : Optional.empty();
  }
}
