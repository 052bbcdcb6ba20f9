package io.runstone.mcp.upstream;

import io.runstone.kernel.Cancellation;
import io.runstone.mcp.feature.LogLevel;
import io.runstone.mcp.feature.McpSessionId;
import io.runstone.mcp.feature.ToolCall;
import io.runstone.security.Requester;
import io.runstone.security.UserId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** A call of a tool that no client made. Used by one thread. */
record FakeCall(
    Map<String, Object> arguments,
    Optional<McpSessionId> mcpSession,
    Cancellation cancellation,
    List<String> progress)
    implements ToolCall {

  static FakeCall with(Map<String, Object> arguments) {
    return new FakeCall(arguments, Optional.empty(), new Cancellation(), new ArrayList<>());
  }

  FakeCall in(String session) {
    return new FakeCall(arguments, Optional.of(new McpSessionId(session)), cancellation, progress);
  }

  @Override
  public Requester requester() {
    return Requester.of(new UserId("anna"));
  }

  @Override
  public void watchClient() {}

  @Override
  public boolean wantsProgress() {
    return true;
  }

  @Override
  public void progress(double value, OptionalDouble total, String message) {
    progress.add(value + " " + message);
  }

  @Override
  public void log(LogLevel level, String message) {}

  @Override
  public <T> Optional<T> unwrap(Class<T> type) {
    return Optional.empty();
  }
}
