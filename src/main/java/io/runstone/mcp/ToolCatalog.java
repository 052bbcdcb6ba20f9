package io.runstone.mcp;

import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.spec.McpSchema;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** The tools as clients see them; each is a JSON file beside this class. Immutable. */
final class ToolCatalog {
  private final McpJsonMapper json;

  ToolCatalog(McpJsonMapper json) {
    this.json = json;
  }

  McpSchema.Tool tool(String name) {
    try {
      return json.readValue(text(name + ".json"), McpSchema.Tool.class);
    } catch (IOException e) {
      throw new UncheckedIOException(name, e);
    }
  }

  static String text(String file) {
    try (InputStream in = ToolCatalog.class.getResourceAsStream(file)) {
      return new String(Objects.requireNonNull(in, file).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(file, e);
    }
  }
}
