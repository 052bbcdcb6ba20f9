package io.runstone.mcp.legacy;

import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpStreamableServerTransport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A stream, as the SDK sees it: it can't close it. The SDK closes before it reports a call that it
 * could not read, and closes all calls of a session that is deleted; either way a client would wait
 * for an answer that never comes. Whoever opened a stream ends it. Thread-safe.
 *
 * @param send takes messages as JSON
 */
record StreamTransport(Consumer<String> send, McpJsonMapper json)
    implements McpStreamableServerTransport {
  private static final System.Logger LOG = System.getLogger(StreamTransport.class.getName());

  @Override
  public Mono<Void> sendMessage(McpSchema.JSONRPCMessage message) {
    return sendMessage(message, null);
  }

  /** The SDK's id is not used: streams number their events themselves. */
  @Override
  public Mono<Void> sendMessage(McpSchema.JSONRPCMessage message, @Nullable String id) {
    return Mono.fromRunnable(
        () -> {
          try {
            send.accept(json.writeValueAsString(message));
          } catch (IOException e) {
            LOG.log(System.Logger.Level.ERROR, "a message could not be written as JSON", e);
            throw new UncheckedIOException(e); // or who asked a client would wait for its answer
          }
        });
  }

  @Override
  public <T> T unmarshalFrom(Object data, TypeRef<T> type) {
    return json.convertValue(data, type);
  }

  @Override
  public Mono<Void> closeGracefully() {
    return Mono.empty();
  }

  @Override
  public void close() {
    // see above
  }
}
