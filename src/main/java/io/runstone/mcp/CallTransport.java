package io.runstone.mcp;

import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpStreamableServerTransport;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The stream of one call, as the SDK sees it: it can't close it. The SDK closes before it reports a
 * call that it could not read, and closes all calls of a session that is deleted; either way a
 * client would wait for an answer that never comes. Whoever made the call closes its stream.
 * Thread-safe.
 */
record CallTransport(SseStream stream) implements McpStreamableServerTransport {

  @Override
  public Mono<Void> sendMessage(McpSchema.JSONRPCMessage message) {
    return stream.sendMessage(message);
  }

  @Override
  public Mono<Void> sendMessage(McpSchema.JSONRPCMessage message, @Nullable String id) {
    return stream.sendMessage(message, id);
  }

  @Override
  public <T> T unmarshalFrom(Object data, TypeRef<T> type) {
    return stream.unmarshalFrom(data, type);
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
