package io.runstone.mcp.modern;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.modelcontextprotocol.modern.server.McpAsyncNotifier;
import io.modelcontextprotocol.modern.server.McpRequestContext;
import io.runstone.kernel.Cancellation;
import io.runstone.mcp.feature.LogLevel;
import io.runstone.mcp.feature.McpSessionId;
import io.runstone.mcp.feature.ToolCall;
import io.runstone.mcp.wire.SseFrames;
import io.runstone.security.Requester;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A call of a tool that stands for itself. Thread-safe: the SDK drops notifications that come at
 * the same time, so they go out one by one.
 */
final class ModernToolCall implements ToolCall {
  private static final String LOG_LEVEL = "io.modelcontextprotocol/logLevel";

  private final ModernCall call;
  private final McpRequestContext context;
  private final McpAsyncNotifier notifier;
  private final Map<String, Object> arguments;
  private final Duration watchInterval;
  private final Object lock = new Object();

  @GuardedBy("lock") private boolean answered;

  ModernToolCall(
      ModernCall call,
      McpRequestContext context,
      McpAsyncNotifier notifier,
      Map<String, Object> arguments,
      Duration watchInterval) {
    this.call = call;
    this.context = context;
    this.notifier = notifier;
    this.arguments = arguments;
    this.watchInterval = watchInterval;
  }

  @Override
  public Requester requester() {
    return call.requester();
  }

  @Override
  public Optional<McpSessionId> mcpSession() {
    return Optional.empty();
  }

  @Override
  public Map<String, Object> arguments() {
    return arguments;
  }

  @Override
  public Cancellation cancellation() {
    return call.cancellation();
  }

  @Override
  public void watchClient() {
    call.stream().thenAccept(stream -> stream.keepAlive(SseFrames.COMMENT, watchInterval));
  }

  @Override
  public boolean wantsProgress() {
    return context.progressToken() != null;
  }

  @Override
  public void progress(double value, OptionalDouble total, String message) {
    synchronized (lock) {
      if (!answered && wantsProgress()) {
        notifier
            .progress(value, total.isPresent() ? total.orElseThrow() : null, message)
            .subscribe();
      }
    }
  }

  @Override
  public void log(LogLevel level, String message) {
    synchronized (lock) {
      if (!answered && isWanted(level)) {
        notifier
            .notify(
                "notifications/message",
                Map.of("level", level.label(), "logger", "runstone", "data", message))
            .subscribe();
      }
    }
  }

  /** MCP 2026-07-28: no log messages unless the request asks for them. */
  private boolean isWanted(LogLevel level) {
    return Arrays.stream(LogLevel.values())
        .filter(least -> least.label().equals(context.meta().get(LOG_LEVEL)))
        .anyMatch(least -> level.compareTo(least) >= 0);
  }

  /** Nothing more is sent: the answer is next. */
  void answered() {
    synchronized (lock) {
      answered = true;
    }
  }

  @Override
  public <T> Optional<T> unwrap(Class<T> type) {
    return type.isInstance(context) ? Optional.of(type.cast(context)) : Optional.empty();
  }
}
