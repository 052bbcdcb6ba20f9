package io.runstone.upstream.code;

import io.runstone.kernel.Cancellation;
import io.runstone.kernel.HostCall;
import io.runstone.upstream.ServerName;
import io.runstone.upstream.UpstreamException;
import io.runstone.upstream.UpstreamException.Kind;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What code asks for, read from the JSON that came out of its sandbox. Immutable. */
sealed interface RequestBody {
  /** Which servers there are. */
  record Servers() implements RequestBody {}

  /** The tools of a server. */
  record Tools(ServerName server) implements RequestBody {}

  /** Tools by words. */
  record Search(String query, int limit) implements RequestBody {}

  /** A call of a tool. */
  record Call(
      ServerName server,
      String tool,
      Map<String, Object> arguments,
      Optional<Duration> timeout,
      Cancellation cancellation)
      implements RequestBody {
    public Call {
      arguments = Collections.unmodifiableMap(new LinkedHashMap<>(arguments));
    }
  }

  /** More are of no use to anybody. */
  int MAX_MATCHES = 1000;

  /** A name or a query is no longer than this. */
  int MAX_TEXT = 1000;

  /** Above any call that makes sense; the server's own bounds are below. */
  double MAX_SECONDS = 1e6;

  /** Deep and long arguments are the upstream's to refuse, but cost memory here. */
  JsonMapper JSON =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(200)
                          .maxTokenCount(2_000_000)
                          .maxStringLength(8 * 1024 * 1024)
                          .build())
                  .build())
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .build();

  /** The arguments as they are. */
  TypeReference<LinkedHashMap<String, Object>> OBJECT = new TypeReference<>() {};

  /**
   * Reads a request.
   *
   * @throws UpstreamException if it makes no sense
   */
  static RequestBody read(HostCall call) {
    try {
      JsonNode body = JSON.readTree(call.body());
      return switch (call.method()) {
        case SERVERS -> new Servers();
        case TOOLS -> new Tools(server(body));
        case SEARCH -> new Search(text(body, "query"), limit(body));
        case CALL ->
            new Call(
                server(body),
                text(body, "tool"),
                arguments(body),
                timeout(body),
                call.cancellation());
      };
    } catch (JacksonException e) {
      throw bad("the call is no JSON that this server reads");
    }
  }

  private static ServerName server(JsonNode body) {
    String name = text(body, "server");
    if (!ServerName.isOne(name)) {
      throw new UpstreamException(Kind.UNKNOWN, "there is no upstream server of this name");
    }
    return new ServerName(name);
  }

  private static String text(JsonNode body, String field) {
    JsonNode value = body.path(field);
    if (!value.isString() || value.asString().length() > MAX_TEXT) {
      throw bad(field + " is a text of at most " + MAX_TEXT + " characters");
    }
    return value.asString();
  }

  private static int limit(JsonNode body) {
    JsonNode value = body.path("limit");
    if (!value.isIntegralNumber() || value.asLong(0) < 1) {
      throw bad("limit is a number above 0");
    }
    return (int) Math.min(MAX_MATCHES, value.asLong(1));
  }

  private static Map<String, Object> arguments(JsonNode body) {
    JsonNode value = body.path("arguments");
    if (!value.isObject()) {
      throw bad("arguments is an object");
    }
    return JSON.convertValue(value, OBJECT);
  }

  private static Optional<Duration> timeout(JsonNode body) {
    JsonNode value = body.path("timeout");
    if (value.isMissingNode() || value.isNull()) {
      return Optional.empty();
    }
    double seconds = value.isNumber() ? value.asDouble(0) : 0;
    if (!(seconds > 0)) {
      throw bad("timeout is a number of seconds above 0");
    }
    return Optional.of(Duration.ofNanos((long) (Math.min(seconds, MAX_SECONDS) * 1e9)));
  }

  private static UpstreamException bad(String message) {
    return new UpstreamException(Kind.REJECTED, message);
  }
}
