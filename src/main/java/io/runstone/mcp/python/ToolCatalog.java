package io.runstone.mcp.python;

import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.TypeRef;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;

/** The tools as clients see them; each is a JSON file beside this class. Immutable. */
public final class ToolCatalog {
  private static final TypeRef<Map<String, Object>> DEFINITION = new TypeRef<>() {};

  private final McpJsonMapper json;

  /** Reads by that mapper. */
  public ToolCatalog(McpJsonMapper json) {
    this.json = json;
  }

  /** A tool's definition. */
  Map<String, Object> definition(String name) {
    return object(name + ".json");
  }

  /** What clients are told of the server itself. */
  public Map<String, Object> serverInfo() {
    return object("server_info.json");
  }

  /** What a client's model is told. */
  public String instructions() {
    return text("instructions.txt").strip();
  }

  private Map<String, Object> object(String file) {
    try {
      return json.readValue(text(file), DEFINITION);
    } catch (IOException e) {
      throw new UncheckedIOException(file, e);
    }
  }

  private static String text(String file) {
    try (InputStream in = ToolCatalog.class.getResourceAsStream(file)) {
      return new String(Objects.requireNonNull(in, file).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(file, e);
    }
  }
}
