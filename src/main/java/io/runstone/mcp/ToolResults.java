package io.runstone.mcp;

import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.runstone.kernel.ErrorInfo;
import io.runstone.kernel.ExecutionResult;
import io.runstone.kernel.ExecutionText;
import io.runstone.kernel.StreamName;
import io.runstone.session.SessionId;
import io.runstone.session.SessionInfo;
import io.runstone.session.SessionKey;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Maps what the application says to tool results. Pure. */
final class ToolResults {
  private ToolResults() {}

  /** A request that could not be met; the sentence says what to do. */
  static CallToolResult error(String sentence) {
    return result(sentence).isError(true).build();
  }

  /** A cell's result; a cell that failed is a result too, for clients throw on {@code isError}. */
  static CallToolResult execution(ExecutionResult execution, Optional<SessionId> session) {
    String text = ExecutionText.whole(execution);
    Map<String, Object> content = new LinkedHashMap<>();
    content.put("result", text);
    content.put("status", execution.outcome().status());
    content.put("session_state", execution.state().label());
    content.put("session_id", session.map(SessionId::value).orElse(null));
    content.put("execution_id", execution.id().value());
    content.put("stdout", ExecutionText.stdout(execution));
    content.put("stderr", execution.stream(StreamName.STDERR));
    content.put("error", execution.error().map(ToolResults::error).orElse(null));
    content.put("execution_time", seconds(execution.executionTime()));
    content.put("cpu_time", seconds(execution.cpuTime()));
    content.put("outputs", List.of());
    return result(text).structuredContent(content).build();
  }

  private static Map<String, Object> error(ErrorInfo error) {
    return Map.of("ename", error.ename(), "evalue", error.evalue(), "traceback", error.traceback());
  }

  private static double seconds(Duration duration) {
    return duration.toNanos() / 1e9;
  }

  /** One session. */
  static CallToolResult session(SessionInfo info, String status) {
    String text = "session " + info.key().label() + " is " + status;
    return result(text).structuredContent(fields(info, status)).build();
  }

  /** The user's sessions. */
  static CallToolResult sessions(List<SessionInfo> infos) {
    List<Map<String, Object>> all = infos.stream().map(info -> fields(info, "active")).toList();
    String text =
        infos.isEmpty()
            ? "no sessions"
            : infos.stream()
                .map(info -> info.key().label() + " (active since " + info.createdAt() + ")")
                .collect(Collectors.joining("\n"));
    return result(text).structuredContent(Map.of("result", all)).build();
  }

  private static Map<String, Object> fields(SessionInfo info, String status) {
    String id = info.key() instanceof SessionKey.Named named ? named.id().value() : "";
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("session_id", id);
    fields.put("status", status);
    fields.put("created_at", info.createdAt().toString());
    return fields;
  }

  private static CallToolResult.Builder result(String text) {
    return CallToolResult.builder(List.of(TextContent.builder(text).build())).isError(false);
  }
}
