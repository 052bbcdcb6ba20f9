package io.runstone.upstream.client;

import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** JSON of servers that may be hostile, so in bounds. Immutable. */
final class Json {
  private static final int MAX_DEPTH = 200;
  private static final TypeReference<Map<String, Object>> OBJECT = new TypeReference<>() {};

  private final JsonMapper mapper;

  /**
   * Creates a reader and writer.
   *
   * @param maxBytes of a document
   */
  Json(int maxBytes) {
    this.mapper =
        new JsonMapper(
            JsonFactory.builder()
                .streamReadConstraints(
                    StreamReadConstraints.builder()
                        .maxDocumentLength(maxBytes)
                        .maxStringLength(maxBytes)
                        .maxNestingDepth(MAX_DEPTH)
                        .build())
                .build());
  }

  /** Reads an object; empty if it is none, or beyond what is sensible. */
  Optional<Map<String, Object>> object(byte[] bytes) {
    try {
      return Optional.ofNullable(mapper.readValue(bytes, OBJECT));
    } catch (JacksonException e) {
      return Optional.empty();
    }
  }

  /** Writes a value. */
  byte[] bytes(Map<String, Object> value) {
    return mapper.writeValueAsBytes(value);
  }

  /** The object in a value; empty if it is none. */
  @SuppressWarnings("unchecked") // an object of JSON has no other keys
  static Map<String, Object> child(@Nullable Object value) {
    return value instanceof Map<?, ?> map ? (Map<String, Object>) map : Map.of();
  }
}
