package io.runstone.mcp.wire;

import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.TypeRef;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * Writes JSON in which no character but the usual line ends can be taken for a line end: U+0085,
 * U+2028 and U+2029 are escaped, since clients that split an event stream with a Unicode-aware
 * function (Python's {@code splitlines}) would cut a message in two. Immutable.
 */
public final class LineSafeJsonMapper implements McpJsonMapper {
  private final McpJsonMapper mapper;

  /** Writes by another mapper. */
  public LineSafeJsonMapper(McpJsonMapper mapper) {
    this.mapper = mapper;
  }

  /** Outside of strings JSON has none of these characters, so replacing them is always right. */
  static String escapeLineEnds(String json) {
    for (int i = 0; i < json.length(); i++) {
      if (isLineEnd(json.charAt(i))) {
        return escapeFrom(json, i);
      }
    }
    return json;
  }

  private static String escapeFrom(String json, int start) {
    StringBuilder escaped = new StringBuilder(json.length() + 64).append(json, 0, start);
    for (int i = start; i < json.length(); i++) {
      char c = json.charAt(i);
      if (isLineEnd(c)) {
        escaped.append("\\u%04x".formatted((int) c));
      } else {
        escaped.append(c);
      }
    }
    return escaped.toString();
  }

  private static boolean isLineEnd(char c) {
    return c == '\u0085' || c == '\u2028' || c == '\u2029';
  }

  @Override
  public String writeValueAsString(Object value) throws IOException {
    return escapeLineEnds(mapper.writeValueAsString(value));
  }

  @Override
  public byte[] writeValueAsBytes(Object value) throws IOException {
    return writeValueAsString(value).getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public <T> T readValue(String content, Class<T> type) throws IOException {
    return mapper.readValue(content, type);
  }

  @Override
  public <T> T readValue(byte[] content, Class<T> type) throws IOException {
    return mapper.readValue(content, type);
  }

  @Override
  public <T> T readValue(String content, TypeRef<T> type) throws IOException {
    return mapper.readValue(content, type);
  }

  @Override
  public <T> T readValue(byte[] content, TypeRef<T> type) throws IOException {
    return mapper.readValue(content, type);
  }

  @Override
  public <T> T convertValue(Object from, Class<T> type) {
    return mapper.convertValue(from, type);
  }

  @Override
  public <T> T convertValue(Object from, TypeRef<T> type) {
    return mapper.convertValue(from, type);
  }
}
