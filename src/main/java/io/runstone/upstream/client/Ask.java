package io.runstone.upstream.client;

import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;

/**
 * What is asked of a server. Immutable.
 *
 * @param headers besides those that every request has
 * @param timeout how long the answer may take
 * @param notifications hears what the server says before it answers
 */
record Ask(
    String method,
    Map<String, Object> params,
    Map<String, String> headers,
    Duration timeout,
    Consumer<Map<String, Object>> notifications) {

  /** Without anything out of the ordinary. */
  static Ask plain(String method, Map<String, Object> params, Duration timeout) {
    return new Ask(method, params, Map.of(), timeout, message -> {});
  }

  /** Leaves the parameters out, for they belong in no log. */
  @Override
  public String toString() {
    return "Ask[" + method + "]";
  }
}
