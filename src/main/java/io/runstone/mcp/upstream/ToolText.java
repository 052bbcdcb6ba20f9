package io.runstone.mcp.upstream;

import io.runstone.mcp.feature.ToolResult;
import io.runstone.upstream.UpstreamException;
import io.runstone.upstream.UpstreamTool;
import io.runstone.upstream.Upstreams;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a model is told of servers and tools: little, until it asks for more. Some clients show the
 * text and some the structure, and some both, so both together are kept short. Immutable.
 */
final class ToolText {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  /** Ten lines of this length, as text and in the structure, stay below 6,000 characters. */
  private static final int MAX_LINE = 240;

  private static final int MAX_DESCRIPTION = 500;

  /** What is shown before somebody asks for more than usual. */
  private static final int USUAL_CHARS = 2_600;

  /** How many tools that is enough for. */
  static final int USUAL_LIMIT = 10;

  private final int shownChars;

  ToolText(int shownChars) {
    this.shownChars = shownChars;
  }

  /** The servers that somebody may use. */
  ToolResult servers(List<Upstreams.Summary> servers) {
    List<Map<String, Object>> all = servers.stream().map(ToolText::server).toList();
    String text =
        servers.isEmpty()
            ? "no upstream servers that you may use"
            : joined(servers.stream().map(ToolText::line).toList(), shownChars);
    return ToolResult.text(text).with(Map.of("result", all));
  }

  private static Map<String, Object> server(Upstreams.Summary summary) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("name", summary.name().value());
    fields.put("title", summary.title());
    fields.put("description", cut(summary.description(), MAX_DESCRIPTION));
    fields.put("connect_url", summary.connect().map(URI::toString).orElse(null));
    return fields;
  }

  private static String line(Upstreams.Summary summary) {
    return summary.name()
        + " - "
        + summary.title()
        + (summary.description().isEmpty() ? "" : ": " + cut(summary.description(), MAX_LINE))
        + summary
            .connect()
            .map(link -> " (the user has to connect it first: " + link + ")")
            .orElse("");
  }

  /**
   * What was found.
   *
   * @param detail whether whole descriptions and schemas are wanted
   */
  ToolResult matches(Upstreams.Matches matches, int limit, boolean detail) {
    List<UpstreamTool> tools = matches.tools().subList(0, Math.min(limit, matches.tools().size()));
    Function<UpstreamTool, String> shown = detail ? ToolText::detail : ToolText::line;
    List<String> lines = new ArrayList<>(tools.stream().map(shown).toList());
    if (lines.isEmpty()) {
      lines.add("no tool matches");
    }
    if (matches.tools().size() > tools.size()) {
      lines.add(
          "and "
              + (matches.tools().size() - tools.size())
              + " more; use other words, or a higher limit");
    }
    matches
        .unreachable()
        .forEach(
            server ->
                lines.add(
                    cut(
                        server.server() + " could not be asked: " + trouble(server.why()),
                        MAX_LINE)));
    boolean asksForMore = detail || limit > USUAL_LIMIT;
    String text = joined(lines, asksForMore ? shownChars : USUAL_CHARS);
    return ToolResult.text(text).with(Map.of("result", text, "count", tools.size()));
  }

  /** A tool on one line: its name, what it takes, and the first sentence about it. */
  static String line(UpstreamTool tool) {
    return cut(
        tool.server()
            + "."
            + line(tool.name())
            + Schemas.signature(tool.definition().get("inputSchema"))
            + " - "
            + sentence(tool.description()),
        MAX_LINE);
  }

  private static String detail(UpstreamTool tool) {
    return "server: "
        + tool.server()
        + ", tool: "
        + tool.name()
        + "\n"
        + tool.description()
        + "\narguments: "
        + JSON.writeValueAsString(tool.definition().getOrDefault("inputSchema", Map.of()))
        + (tool.definition().containsKey("outputSchema")
            ? "\nresult: " + JSON.writeValueAsString(tool.definition().get("outputSchema"))
            : "")
        + "\n";
  }

  /** Why something was not done, with the link if there is one. */
  static String trouble(UpstreamException e) {
    String message = String.valueOf(e.getMessage());
    return e.link()
        .map(URI::toString)
        .filter(link -> !message.contains(link))
        .map(link -> message + ": " + link)
        .orElse(message);
  }

  private static String sentence(String text) {
    String line = line(text).strip();
    int end = line.indexOf(". ");
    return end < 0 ? line : line.substring(0, end + 1);
  }

  /** A text on one line; others' words must not look like lines of ours. */
  static String line(String text) {
    return text.replaceAll("[\\p{Cntrl}\\s]+", " ");
  }

  private static String cut(String text, int max) {
    return text.length() <= max ? text : text.substring(0, boundary(text, max - 1)) + "…";
  }

  private static int boundary(String text, int index) {
    return Character.isHighSurrogate(text.charAt(index - 1)) ? index - 1 : index;
  }

  private static String joined(List<String> lines, int max) {
    StringBuilder text = new StringBuilder();
    for (String line : lines) {
      if (text.length() + line.length() > max && !text.isEmpty()) {
        return text + "\nand more, which is not shown; ask for fewer at once";
      }
      text.append(text.isEmpty() ? "" : "\n").append(cut(line, max));
    }
    return text.toString();
  }
}
