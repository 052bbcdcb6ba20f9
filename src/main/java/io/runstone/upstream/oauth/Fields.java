package io.runstone.upstream.oauth;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** The fields of a JSON object that may be anything. Immutable. */
record Fields(Map<String, Object> values) {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final TypeReference<Map<String, Object>> OBJECT = new TypeReference<>() {};
  private static final int MAX_ITEMS = 200;

  /**
   * Reads an object.
   *
   * @throws OAuthException if it is none
   */
  static Fields parse(String json) {
    try {
      Map<String, Object> values = JSON.readValue(json, OBJECT);
      if (values != null) {
        return new Fields(values);
      }
    } catch (JacksonException e) { // without the cause, which may quote what it can't read
      throw OAuthException.unusable("its answer is not a JSON object");
    }
    throw OAuthException.unusable("its answer is not a JSON object");
  }

  /** An object as text. */
  static String write(Map<String, Object> values) {
    return JSON.writeValueAsString(values);
  }

  @Nullable Object value(String name) {
    return values.get(name);
  }

  boolean has(String name) {
    return values.get(name) != null;
  }

  /** A text that is not empty. */
  Optional<String> text(String name) {
    return values.get(name) instanceof String text && !text.isEmpty()
        ? Optional.of(text)
        : Optional.empty();
  }

  /** The texts of a list, at most 200. */
  List<String> texts(String name) {
    return values.get(name) instanceof Collection<?> list
        ? list.stream()
            .filter(String.class::isInstance)
            .map(String.class::cast)
            .limit(MAX_ITEMS)
            .toList()
        : List.of();
  }

  Optional<Long> number(String name) {
    return values.get(name) instanceof Number number
        ? Optional.of(number.longValue())
        : text(name).filter(text -> text.matches("[0-9]{1,15}")).map(Long::valueOf);
  }

  /** Leaves the values out, for tokens are among them. */
  @Override
  public String toString() {
    return "Fields" + values.keySet();
  }
}
