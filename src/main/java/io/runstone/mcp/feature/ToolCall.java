package io.runstone.mcp.feature;

import io.runstone.kernel.Cancellation;
import io.runstone.security.Requester;
import io.runstone.security.UserId;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * One call of a tool, as the tool sees it, whichever era it came by. Thread-safe. After the tool
 * has answered, what it says here goes nowhere.
 */
public interface ToolCall {
  /** Who calls. */
  Requester requester();

  /** The user who calls. */
  default UserId user() {
    return requester().user();
  }

  /** The MCP session it belongs to, in the eras that have one. */
  Optional<McpSessionId> mcpSession();

  /** What was passed, checked against the tool's schema. */
  Map<String, Object> arguments();

  /** Says when the client does not want the answer any more. */
  Cancellation cancellation();

  /** Has the client looked for often from now on, so that its going away cancels soon. */
  void watchClient();

  /** Whether the client asked for progress. */
  boolean wantsProgress();

  /**
   * Tells progress, if the client asked for it.
   *
   * @param value grows with every call
   * @param message for people
   */
  void progress(double value, OptionalDouble total, String message);

  /** Sends a log message, if the client wants those of this level. */
  void log(LogLevel level, String message);

  /** The SDK's own object for this call, if it is of that type. */
  <T> Optional<T> unwrap(Class<T> type);
}
