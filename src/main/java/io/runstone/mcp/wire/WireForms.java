package io.runstone.mcp.wire;

import io.runstone.mcp.feature.Content;
import io.runstone.mcp.feature.ResourceData;
import io.runstone.mcp.feature.ResourceInfo;
import io.runstone.mcp.feature.ResourceTemplate;
import io.runstone.mcp.feature.ToolResult;
import java.util.LinkedHashMap;
import java.util.Map;

/** Values as both eras put them into JSON. Pure. */
public final class WireForms {
  private WireForms() {}

  /** A result of {@code tools/call}. */
  public static Map<String, Object> of(ToolResult result) {
    Map<String, Object> form = new LinkedHashMap<>();
    form.put("content", result.content().stream().map(WireForms::of).toList());
    form.put("isError", result.failed());
    result.structure().ifPresent(structure -> form.put("structuredContent", structure));
    return form;
  }

  private static Map<String, Object> of(Content content) {
    if (content instanceof Content.Text text) {
      return Map.of("type", "text", "text", text.text());
    } else if (content instanceof Content.Image image) {
      return Map.of("type", "image", "data", image.data(), "mimeType", image.mediaType());
    } else if (content instanceof Content.Audio audio) {
      return Map.of("type", "audio", "data", audio.data(), "mimeType", audio.mediaType());
    } else if (content instanceof Content.Embedded embedded) {
      return Map.of("type", "resource", "resource", of(embedded.resource()));
    }
    throw new IllegalArgumentException("unknown content: " + content.getClass());
  }

  /** One of the contents of {@code resources/read}. */
  public static Map<String, Object> of(ResourceData data) {
    return Map.of(
        "uri",
        data.uri(),
        "mimeType",
        data.mediaType(),
        data.binary() ? "blob" : "text",
        data.data());
  }

  /** One of {@code resources/list}. */
  public static Map<String, Object> of(ResourceInfo info) {
    Map<String, Object> form = new LinkedHashMap<>();
    form.put("uri", info.uri());
    form.put("name", info.name());
    form.put("description", info.description());
    form.put("mimeType", info.mediaType());
    info.size().ifPresent(size -> form.put("size", size));
    return form;
  }

  /** One of {@code resources/templates/list}. */
  public static Map<String, Object> of(ResourceTemplate template) {
    return Map.of(
        "uriTemplate",
        template.uriTemplate(),
        "name",
        template.name(),
        "title",
        template.title(),
        "description",
        template.description());
  }
}
