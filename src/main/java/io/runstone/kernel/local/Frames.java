package io.runstone.kernel.local;

import io.runstone.kernel.ErrorInfo;
import io.runstone.kernel.HostMethod;
import io.runstone.kernel.Output;
import io.runstone.kernel.StreamName;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Frames of the kernel protocol: a 4-byte big-endian length, then UTF-8 JSON. The other side is
 * {@code _runstone/framing.py}. Stateless.
 */
final class Frames {
  /** Above what a supervisor sends, which bounds what it takes from a worker. */
  static final int MAX_BYTES = 12 * 1024 * 1024;

  /** RFC 6838 section 4.2, shorter. It becomes a header of a response, so it is checked. */
  private static final Pattern MEDIA_TYPE =
      Pattern.compile("[a-zA-Z0-9][a-zA-Z0-9.+_-]{0,60}/[a-zA-Z0-9][a-zA-Z0-9.+_-]{0,100}");

  /** No message has more parts or depth, and each part would cost memory. */
  private static final JsonMapper JSON =
      new JsonMapper(
          JsonFactory.builder()
              .streamReadConstraints(
                  StreamReadConstraints.builder()
                      .maxTokenCount(500)
                      .maxNestingDepth(8)
                      .maxStringLength(MAX_BYTES)
                      .build())
              .build());

  private Frames() {}

  /** Makes a frame of a message. */
  static byte[] encode(Map<String, ?> message) {
    byte[] body = JSON.writeValueAsBytes(message);
    return ByteBuffer.allocate(Integer.BYTES + body.length).putInt(body.length).put(body).array();
  }

  /** Writes a message and flushes. */
  static void write(OutputStream out, Map<String, ?> message) throws IOException {
    out.write(encode(message));
    out.flush();
  }

  /**
   * Reads the next message.
   *
   * @throws EOFException when the kernel has ended
   * @throws ProtocolException when it is not a message of the protocol
   */
  static KernelMessage read(InputStream in) throws IOException {
    DataInputStream data = new DataInputStream(in);
    int length = data.readInt();
    if (length < 2 || length > MAX_BYTES) {
      throw new ProtocolException("a frame of " + length + " bytes");
    }
    byte[] body = data.readNBytes(length);
    if (body.length < length) {
      throw new EOFException("the kernel ended within a frame");
    }
    try {
      return decode(JSON.readTree(body));
    } catch (JacksonException e) {
      throw new ProtocolException("a frame that is not JSON");
    }
  }

  private static KernelMessage decode(JsonNode node) throws ProtocolException {
    return switch (node.path("type").asString("")) {
      case "ready" -> new KernelMessage.Ready(text(node, "python"));
      case "stream" ->
          new KernelMessage.Stream(number(node, "id"), streamName(node), text(node, "text"));
      case "worker_died" -> workerGone(node);
      case "display" -> display(node);
      case "clear" ->
          new KernelMessage.Rich(
              required(node, "id"), new Output.ClearOutput(node.path("wait").asBoolean(false)));
      case "host_call" -> hostCall(node);
      case "host_call_off" ->
          new KernelMessage.HostCalledOff(required(node, "id"), required(node, "call"));
      case "refused" ->
          new KernelMessage.Refused(required(node, "id"), required(node, "next_worker"));
      case "done" -> {
        String status = text(node, "status");
        yield status.equals("ok") || status.equals("error") ? done(node) : workerGone(node);
      }
      default -> throw new ProtocolException("a message of an unknown type");
    };
  }

  private static KernelMessage done(JsonNode node) throws ProtocolException {
    JsonNode error = node.path("error");
    return new KernelMessage.Done(
        required(node, "id"),
        bundle(node),
        error.isObject()
            ? Optional.of(
                new ErrorInfo(
                    text(error, "ename"), text(error, "evalue"), text(error, "traceback")))
            : Optional.empty(),
        node.path("interrupt_requested").asBoolean(false),
        cpu(node),
        number(node, "peak_memory").orElse(0));
  }

  private static KernelMessage workerGone(JsonNode node) throws ProtocolException {
    return new KernelMessage.WorkerGone(
        number(node, "id"),
        node.path("status").asString("").equals("killed"),
        number(node, "signal"),
        number(node, "exit"),
        cpu(node),
        number(node, "peak_memory").orElse(0),
        required(node, "next_worker"));
  }

  private static KernelMessage hostCall(JsonNode node) throws ProtocolException {
    return new KernelMessage.HostCalled(
        required(node, "id"),
        required(node, "call"),
        HostMethod.of(text(node, "method"))
            .orElseThrow(() -> new ProtocolException("a call of an unknown method")),
        text(node, "body"));
  }

  private static KernelMessage display(JsonNode node) throws ProtocolException {
    JsonNode id = node.path("display_id");
    Output output =
        new Output.DisplayData(
            bundle(node),
            id.isString() ? Optional.of(id.asString()) : Optional.empty(),
            node.path("update").asBoolean(false));
    return new KernelMessage.Rich(required(node, "id"), output);
  }

  /** Representations by media type; what is not text by a sensible name is left out. */
  private static Map<String, String> bundle(JsonNode node) {
    Map<String, String> bundle = new HashMap<>();
    for (Map.Entry<String, JsonNode> entry : node.path("data").properties()) {
      if (MEDIA_TYPE.matcher(entry.getKey()).matches() && entry.getValue().isString()) {
        bundle.put(entry.getKey(), entry.getValue().asString());
      }
    }
    return bundle;
  }

  private static StreamName streamName(JsonNode node) throws ProtocolException {
    return switch (text(node, "name")) {
      case "stdout" -> StreamName.STDOUT;
      case "stderr" -> StreamName.STDERR;
      default -> throw new ProtocolException("output of an unknown stream");
    };
  }

  private static String text(JsonNode node, String field) throws ProtocolException {
    JsonNode value = node.path(field);
    if (!value.isString()) {
      throw new ProtocolException("no text in " + field);
    }
    return value.asString();
  }

  private static long required(JsonNode node, String field) throws ProtocolException {
    return number(node, field).orElseThrow(() -> new ProtocolException("no number in " + field));
  }

  private static OptionalLong number(JsonNode node, String field) {
    JsonNode value = node.path(field);
    return value.isIntegralNumber() && value.canConvertToLong()
        ? OptionalLong.of(value.asLong())
        : OptionalLong.empty();
  }

  private static Duration cpu(JsonNode node) {
    double seconds = node.path("cpu").asDouble(0);
    return seconds > 0 && seconds < 1e9 ? Duration.ofNanos((long) (seconds * 1e9)) : Duration.ZERO;
  }
}
