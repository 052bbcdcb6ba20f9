package io.runstone.rest;

import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonBuilderFactory;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import jakarta.json.spi.JsonProvider;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * Builds JSON and turns it into responses. The entity is bytes, so that no setting of the server's
 * JSON providers, and no {@code Accept} header, has a say in it.
 */
final class JsonAnswer {
  /** Held because finding the provider takes a search of the class path. */
  private static final JsonBuilderFactory BUILDERS =
      JsonProvider.provider().createBuilderFactory(Map.of());

  private JsonAnswer() {}

  static JsonObjectBuilder object() {
    return BUILDERS.createObjectBuilder();
  }

  static JsonObjectBuilder object(JsonObject start) {
    return BUILDERS.createObjectBuilder(start);
  }

  static JsonArrayBuilder array() {
    return BUILDERS.createArrayBuilder();
  }

  /** The text as bytes; half a surrogate pair, which UTF-8 can't say, becomes a question mark. */
  static byte[] bytes(JsonObject json) {
    return json.toString().getBytes(StandardCharsets.UTF_8);
  }

  static Response.ResponseBuilder response(int status, JsonObject json) {
    return Response.status(status).type(MediaType.APPLICATION_JSON_TYPE).entity(bytes(json));
  }
}
