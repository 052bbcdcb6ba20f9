package io.runstone.mcp.python;

import io.runstone.kernel.ErrorInfo;
import io.runstone.kernel.ExecutionResult;
import io.runstone.kernel.ExecutionText;
import io.runstone.kernel.MediaTypes;
import io.runstone.kernel.Output;
import io.runstone.kernel.StreamName;
import io.runstone.mcp.feature.Content;
import io.runstone.mcp.feature.ToolResult;
import io.runstone.session.OutputLink;
import io.runstone.session.SessionId;
import io.runstone.session.SessionInfo;
import io.runstone.session.SessionKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Maps what the application says to tool results. Pure. */
final class ToolResults {
  /** What clients of MCP can show; an SVG they can't. */
  private static final Set<String> IMAGES =
      Set.of("image/png", "image/jpeg", "image/gif", "image/webp");

  private static final int MAX_IMAGES = 20;

  /** Larger ones are behind their links; models take no more than about 5 MB. */
  private static final int MAX_IMAGE_CHARS = 7_000_000;

  private ToolResults() {}

  /**
   * A cell's result; a cell that failed is a result too, for clients throw on {@code isError}. Text
   * first, then images. Some clients show the model nothing but the structure, so its {@code
   * result} has the links too.
   *
   * @param shown how many characters of a text are shown; the whole is behind a link
   */
  static ToolResult execution(ExecutionResult execution, Optional<SessionId> session, int shown) {
    List<OutputLink> links = OutputLink.of(execution);
    String background = ExecutionText.background(execution);
    String text =
        ShownText.cut(ExecutionText.whole(execution), shown)
            + ShownText.links(links)
            + (background.isEmpty() ? "" : "\n" + ShownText.cut(background, shown / 10));
    Map<String, Object> content = new LinkedHashMap<>();
    content.put("result", text);
    content.put("status", execution.outcome().status());
    content.put("session_state", execution.state().label());
    content.put("session_id", session.map(SessionId::value).orElse(null));
    content.put("execution_id", execution.id().value());
    content.put("stdout", ShownText.cut(ExecutionText.stdout(execution), shown));
    content.put("stderr", ShownText.cut(execution.stream(StreamName.STDERR), shown));
    content.put("error", execution.error().map(ToolResults::error).orElse(null));
    content.put("execution_time", seconds(execution.executionTime()));
    content.put("cpu_time", seconds(execution.cpuTime()));
    content.put("peak_memory", execution.peakMemoryBytes());
    content.put("outputs", links.stream().map(ToolResults::link).toList());
    List<Content> blocks = new ArrayList<>();
    blocks.add(new Content.Text(text));
    execution.outputs().stream().flatMap(ToolResults::image).limit(MAX_IMAGES).forEach(blocks::add);
    return new ToolResult(blocks, Optional.of(content), false);
  }

  private static Stream<Content> image(Output output) {
    return MediaTypes.richest(output.bundle()).stream()
        .flatMap(type -> image(type, output.bundle().getOrDefault(type, "")));
  }

  private static Stream<Content> image(String type, String data) {
    return IMAGES.contains(type) && data.length() <= MAX_IMAGE_CHARS
        ? Stream.of(new Content.Image(data, type))
        : Stream.empty();
  }

  private static Map<String, Object> link(OutputLink link) {
    return Map.of(
        "n", link.number(),
        "name", link.name(),
        "media_type", link.mediaType(),
        "size", link.size(),
        "uri", link.uri(),
        "url", link.path());
  }

  private static Map<String, Object> error(ErrorInfo error) {
    return Map.of("ename", error.ename(), "evalue", error.evalue(), "traceback", error.traceback());
  }

  private static double seconds(Duration duration) {
    return duration.toNanos() / 1e9;
  }

  /** One session. */
  static ToolResult session(SessionInfo info, String status) {
    String text = "session " + info.key().label() + " is " + status;
    return ToolResult.text(text).with(fields(info, status));
  }

  /** What became of an interrupt. */
  static ToolResult interrupted(SessionId id, boolean running) {
    String text =
        running
            ? "the code that runs in session " + id + " is being interrupted; its own result tells"
            : "no code was running in session " + id;
    Map<String, Object> content = new LinkedHashMap<>();
    content.put("session_id", id.value());
    content.put("status", "active");
    content.put("interrupted", running);
    return ToolResult.text(text).with(content);
  }

  /** The user's sessions. */
  static ToolResult sessions(List<SessionInfo> infos) {
    List<Map<String, Object>> all = infos.stream().map(info -> fields(info, "active")).toList();
    String text =
        infos.isEmpty()
            ? "no sessions"
            : infos.stream()
                .map(info -> info.key().label() + " (active since " + info.createdAt() + ")")
                .collect(Collectors.joining("\n"));
    return ToolResult.text(text).with(Map.of("result", all));
  }

  private static Map<String, Object> fields(SessionInfo info, String status) {
    String id = info.key() instanceof SessionKey.Named named ? named.id().value() : "";
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("session_id", id);
    fields.put("status", status);
    fields.put("created_at", info.createdAt().toString());
    return fields;
  }
}
