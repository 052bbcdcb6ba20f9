package io.runstone.upstream;

import io.runstone.kernel.Cancellation;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * One call of a tool.
 *
 * @param tool the tool's name as the server has it
 * @param arguments as JSON values, not checked
 * @param timeout how long the answer may take; the server's own if empty
 * @param cancellation says when nobody wants the answer any more
 * @param progress hears what the server says of its progress, in words; returns at once
 */
public record UpstreamCall(
    ServerName server,
    String tool,
    Map<String, Object> arguments,
    Optional<Duration> timeout,
    Cancellation cancellation,
    Consumer<String> progress) {
  public UpstreamCall {
    arguments = Collections.unmodifiableMap(new LinkedHashMap<>(arguments));
  }

  /** Leaves the arguments out, for they belong in no log. */
  @Override
  public String toString() {
    return "UpstreamCall[" + server + ", " + tool + "]";
  }
}
