package io.runstone.rest;

import io.runstone.config.Settings;
import io.runstone.http.RequestBody;
import io.runstone.session.SessionException;
import io.runstone.session.SessionException.Category;
import jakarta.json.JsonNumber;
import jakarta.json.JsonString;
import jakarta.json.JsonValue;
import jakarta.json.spi.JsonProvider;
import jakarta.json.stream.JsonParser;
import jakarta.json.stream.JsonParserFactory;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The JSON object that a client sent, read strictly: what is not UTF-8, not JSON or has a field
 * twice is refused, fields that nobody asks for are ignored, and an explicit null is as no field.
 * Immutable.
 *
 * @param fields what was sent
 */
record JsonRequest(Map<String, JsonValue> fields) {
  /** Held because finding the provider takes a search of the class path. */
  private static final JsonParserFactory PARSERS =
      JsonProvider.provider().createParserFactory(Map.of());

  JsonRequest {
    fields = Map.copyOf(fields);
  }

  /**
   * Reads a body.
   *
   * @throws RequestBody.TooLargeException above the bound
   * @throws RequestBody.TooSlowException if it does not arrive in time
   * @throws SessionException with {@link Category#BAD_REQUEST}
   */
  static JsonRequest read(InputStream body, Settings.Http settings) throws IOException {
    return parse(RequestBody.read(body, settings));
  }

  /**
   * Parses a body; an empty one is as an empty object.
   *
   * @throws SessionException with {@link Category#BAD_REQUEST}
   */
  static JsonRequest parse(byte[] body) {
    String text = decode(body);
    if (text.isBlank()) {
      return new JsonRequest(Map.of());
    }
    try (JsonParser parser = PARSERS.createParser(new StringReader(text))) {
      return new JsonRequest(fields(parser));
    } catch (SessionException e) {
      throw e;
    } catch (RuntimeException e) { // not only JsonException, for what is beyond Parsson's bounds
      throw new SessionException(Category.BAD_REQUEST, "the request body is not valid JSON", e);
    }
  }

  private static Map<String, JsonValue> fields(JsonParser parser) {
    if (parser.next() != JsonParser.Event.START_OBJECT) {
      throw bad("the request body must be a JSON object");
    }
    Map<String, JsonValue> fields = new HashMap<>();
    while (parser.next() == JsonParser.Event.KEY_NAME) {
      String name = parser.getString();
      parser.next();
      if (fields.put(name, parser.getValue()) != null) {
        throw bad("the request body has a field twice");
      }
    }
    if (parser.hasNext()) { // or it throws, for more text behind the object
      throw bad("the request body must be one JSON object");
    }
    return fields;
  }

  private static String decode(byte[] body) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
    } catch (CharacterCodingException e) {
      throw new SessionException(Category.BAD_REQUEST, "the request body is not valid UTF-8", e);
    }
  }

  /** Returns a field that must be a string if it is there. */
  Optional<String> text(String name) {
    JsonValue value = fields.getOrDefault(name, JsonValue.NULL);
    if (JsonValue.NULL.equals(value)) {
      return Optional.empty();
    } else if (value instanceof JsonString string) {
      return Optional.of(string.getString());
    }
    throw bad(name + " must be a string");
  }

  /** Returns a field that must be a number if it is there. */
  OptionalDouble number(String name) {
    JsonValue value = fields.getOrDefault(name, JsonValue.NULL);
    if (JsonValue.NULL.equals(value)) {
      return OptionalDouble.empty();
    } else if (value instanceof JsonNumber number) {
      return OptionalDouble.of(number.doubleValue());
    }
    throw bad(name + " must be a number");
  }

  static SessionException bad(String sentence) {
    return new SessionException(Category.BAD_REQUEST, sentence);
  }
}
