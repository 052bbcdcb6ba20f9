package io.runstone.rest;

import io.runstone.kernel.ErrorInfo;
import io.runstone.kernel.ExecutionResult;
import io.runstone.kernel.ExecutionText;
import io.runstone.kernel.Output;
import io.runstone.kernel.StreamName;
import io.runstone.session.OutputLink;
import io.runstone.session.SessionId;
import jakarta.json.JsonArray;
import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import jakarta.json.JsonValue;
import java.time.Duration;
import java.util.Optional;

/** Renders an execution's result as the answer of {@code POST /execute}. Pure. */
final class ExecutionJson {
  private ExecutionJson() {}

  /**
   * Renders a result.
   *
   * @param sessionId where it ran; empty for a clean kernel
   */
  static JsonObject of(ExecutionResult result, Optional<SessionId> sessionId) {
    JsonObjectBuilder json =
        JsonAnswer.object()
            .add("stdout", ExecutionText.stdout(result))
            .add("stderr", stderr(result))
            .add("execution_time", seconds(result.executionTime()))
            .add("cpu_time", seconds(result.cpuTime()))
            .add("peak_memory", result.peakMemoryBytes())
            .add("status", result.outcome().status())
            .add("session_state", result.state().label())
            .add("execution_id", result.id().value())
            .add("outputs", outputs(result))
            .add("links", links(result))
            .add("background", background(result));
    result
        .error()
        .ifPresentOrElse(error -> json.add("error", error(error)), () -> json.addNull("error"));
    sessionId.ifPresentOrElse(
        id -> json.add("session_id", id.value()), () -> json.addNull("session_id"));
    return json.build();
  }

  /** What went wrong, then what the program wrote to its error stream. */
  static String stderr(ExecutionResult result) {
    String written = result.stream(StreamName.STDERR);
    return ExecutionText.failure(result)
        .map(failure -> failure.endsWith("\n") ? failure : failure + "\n")
        .map(failure -> failure + written)
        .orElse(written);
  }

  private static double seconds(Duration time) {
    return time.toNanos() / 1e9;
  }

  private static JsonObject error(ErrorInfo error) {
    return named(error).add("traceback", error.traceback()).build();
  }

  private static JsonObjectBuilder named(ErrorInfo error) {
    return JsonAnswer.object().add("ename", error.ename()).add("evalue", error.evalue());
  }

  private static JsonArray outputs(ExecutionResult result) {
    JsonArrayBuilder outputs = JsonAnswer.array();
    result.outputs().stream().map(ExecutionJson::output).forEach(outputs::add);
    result.error().map(ExecutionJson::errorOutput).ifPresent(outputs::add);
    return outputs.build();
  }

  private static JsonArray background(ExecutionResult result) {
    JsonArrayBuilder outputs = JsonAnswer.array();
    result.background().stream().map(ExecutionJson::output).forEach(outputs::add);
    return outputs.build();
  }

  private static JsonValue output(Output output) {
    if (output instanceof Output.Stream stream) {
      return JsonAnswer.object()
          .add("output_type", "stream")
          .add("name", stream.name().label())
          .add("text", stream.text())
          .build();
    }
    if (output instanceof Output.ClearOutput clear) {
      return JsonAnswer.object()
          .add("output_type", "clear_output")
          .add("wait", clear.deferred())
          .build();
    }
    JsonObjectBuilder data = JsonAnswer.object();
    output.bundle().forEach(data::add);
    JsonObjectBuilder json = JsonAnswer.object().add("output_type", type(output)).add("data", data);
    if (output instanceof Output.DisplayData display) {
      display
          .displayId()
          .ifPresent(
              id -> json.add("transient", JsonAnswer.object().add("display_id", id).build()));
    }
    return json.build();
  }

  private static String type(Output output) {
    if (output instanceof Output.DisplayData display) {
      return display.update() ? "update_display_data" : "display_data";
    }
    return "execute_result";
  }

  private static JsonArray links(ExecutionResult result) {
    JsonArrayBuilder links = JsonAnswer.array();
    for (OutputLink link : OutputLink.of(result)) {
      links.add(
          JsonAnswer.object()
              .add("n", link.number())
              .add("name", link.name())
              .add("media_type", link.mediaType())
              .add("size", link.size())
              .add("url", link.path()));
    }
    return links.build();
  }

  /** As in a notebook file, where a traceback is a list of lines. */
  private static JsonValue errorOutput(ErrorInfo error) {
    JsonArrayBuilder lines = JsonAnswer.array();
    error.traceback().lines().forEach(lines::add);
    return named(error).add("output_type", "error").add("traceback", lines).build();
  }
}
