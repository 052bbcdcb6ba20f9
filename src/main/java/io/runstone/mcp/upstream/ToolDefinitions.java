package io.runstone.mcp.upstream;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** The tools as clients see them; each is a JSON file beside this class. Stateless. */
final class ToolDefinitions {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final TypeReference<Map<String, Object>> DEFINITION = new TypeReference<>() {};

  private ToolDefinitions() {}

  static Map<String, Object> of(String name) {
    String file = name + ".json";
    try (InputStream in = ToolDefinitions.class.getResourceAsStream(file)) {
      return JSON.readValue(Objects.requireNonNull(in, file).readAllBytes(), DEFINITION);
    } catch (IOException e) {
      throw new UncheckedIOException(file, e);
    }
  }
}
