package io.runstone.mcp.upstream;

import io.runstone.mcp.feature.Content;
import io.runstone.mcp.feature.ResourceData;
import io.runstone.mcp.feature.ToolResult;
import io.runstone.upstream.UpstreamResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Hands on what an upstream tool answered, but no more text than a model can read. Immutable. */
final class CallResults {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final int MAX_BLOCKS = 50;

  /** Larger pictures no model takes; code gets them whole. */
  private static final int MAX_BINARY_CHARS = 7_000_000;

  private final int shownChars;

  CallResults(int shownChars) {
    this.shownChars = shownChars;
  }

  ToolResult of(UpstreamResult result) {
    List<Content> blocks = new ArrayList<>();
    if (result.json().get("content") instanceof List<?> content) {
      content.stream().limit(MAX_BLOCKS).map(this::block).forEach(blocks::add);
    }
    Object structure = result.json().get("structuredContent");
    String text = texts(blocks);
    if (blocks.isEmpty()) {
      blocks.add(new Content.Text(structure == null ? "[no content]" : shown(structure)));
    }
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("result", structure == null ? text : bounded(structure));
    return new ToolResult(blocks, Optional.of(fields), result.isError());
  }

  private String texts(List<Content> blocks) {
    return cut(
        blocks.stream()
            .filter(Content.Text.class::isInstance)
            .map(block -> ((Content.Text) block).text())
            .collect(Collectors.joining("\n")));
  }

  private Content block(@Nullable Object block) {
    Map<?, ?> fields = block instanceof Map<?, ?> map ? map : Map.of();
    String data = text(fields, "data");
    String type = text(fields, "mimeType");
    return switch (text(fields, "type")) {
      case "text" -> new Content.Text(cut(text(fields, "text")));
      case "image" -> fits(data) ? new Content.Image(data, type) : leftOut("image", data);
      case "audio" -> fits(data) ? new Content.Audio(data, type) : leftOut("audio", data);
      case "resource" ->
          fields.get("resource") instanceof Map<?, ?> inner
              ? resource(inner)
              : new Content.Text("");
      case "resource_link" ->
          new Content.Text(
              "["
                  + ToolText.line(text(fields, "name"))
                  + ", a resource of the server: "
                  + ToolText.line(text(fields, "uri"))
                  + "]");
      default -> new Content.Text(shown(fields));
    };
  }

  private Content resource(Map<?, ?> fields) {
    String uri = text(fields, "uri");
    String type = text(fields, "mimeType");
    if (fields.get("text") instanceof String whole) {
      return new Content.Embedded(ResourceData.text(uri, type, cut(whole)));
    }
    String blob = text(fields, "blob");
    return fits(blob)
        ? new Content.Embedded(ResourceData.binary(uri, type, blob))
        : leftOut("resource", blob);
  }

  private static boolean fits(String data) {
    return data.length() <= MAX_BINARY_CHARS;
  }

  private static Content leftOut(String what, String data) {
    return new Content.Text(
        "[the "
            + what
            + " has "
            + data.length() / 4L * 3
            + " bytes and is not shown; call the tool"
            + " from Python (import upstream) to have it]");
  }

  /** The structure itself if it is short, or else the beginning of its text. */
  private Object bounded(Object structure) {
    String text = JSON.writeValueAsString(structure);
    return text.length() <= shownChars ? structure : cut(text);
  }

  private String shown(Object value) {
    return cut(JSON.writeValueAsString(value));
  }

  private String cut(String text) {
    if (text.length() <= shownChars) {
      return text;
    }
    int end = Character.isLowSurrogate(text.charAt(shownChars)) ? shownChars - 1 : shownChars;
    return text.substring(0, end)
        + "\n... "
        + (text.length() - end)
        + " characters are not shown; call the tool from Python (import upstream) to have them all";
  }

  private static String text(Map<?, ?> fields, String name) {
    return fields.get(name) instanceof String text ? text : "";
  }
}
