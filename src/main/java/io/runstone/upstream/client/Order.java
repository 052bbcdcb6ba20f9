package io.runstone.upstream.client;

import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * One HTTP request, but for what proves whose it is. Immutable, as nobody writes to the body.
 *
 * @param body none for GET and DELETE
 * @param events hears the events of an answer that is a stream, as they arrive
 * @param maxStream bytes of a stream in all; a single event has its own bound
 */
record Order(
    String method,
    Map<String, String> headers,
    Optional<byte[]> body,
    Consumer<byte[]> events,
    long maxStream) {
  Order {
    headers = Map.copyOf(headers);
  }

  /** The same for a stream that may go on as long as it likes. */
  Order endless() {
    return new Order(method, headers, body, events, Long.MAX_VALUE);
  }

  /** Leaves the body out, for it belongs in no log. */
  @Override
  public String toString() {
    return "Order[" + method + "]";
  }
}
