package io.runstone.mcp.modern;

import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.schema.JsonSchemaValidator;
import io.modelcontextprotocol.modern.JsonRpc;
import io.modelcontextprotocol.modern.McpSchema;
import io.modelcontextprotocol.modern.server.HmacRequestStateCodec;
import io.modelcontextprotocol.modern.server.McpHeaders;
import io.modelcontextprotocol.modern.server.McpRequestContext;
import io.modelcontextprotocol.modern.server.McpServer;
import io.modelcontextprotocol.modern.server.McpTransportResponse;
import io.modelcontextprotocol.modern.server.feature.ResourcesFeature;
import io.modelcontextprotocol.modern.server.feature.ToolsFeature;
import io.runstone.config.Settings;
import io.runstone.http.Exchange;
import io.runstone.http.ResponseStream;
import io.runstone.http.ResponseStream.Ending;
import io.runstone.kernel.Cancellation;
import io.runstone.mcp.feature.Offer;
import io.runstone.mcp.wire.RequestHead;
import io.runstone.mcp.wire.RpcException;
import io.runstone.mcp.wire.RpcMessage;
import io.runstone.mcp.wire.SseFrames;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;

/**
 * The revision of MCP without sessions, 2026-07-28. The SDK's server answers requests; what carries
 * them is ours, for the SDK's servlet blocks a thread for each. Thread-safe.
 */
public final class ModernEndpoint implements AutoCloseable {
  /** The revision. */
  public static final String VERSION = ModernHeaders.VERSION;

  /** Names the version in a request's metadata, and thereby this era. */
  public static final String VERSION_KEY = ModernHeaders.VERSION_KEY;

  private static final System.Logger LOG = System.getLogger(ModernEndpoint.class.getName());
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final String LISTEN = "subscriptions/listen";
  private static final Duration CACHED = Duration.ofMinutes(5);

  private static final Map<Integer, Integer> STATUS =
      Map.of(
          -32700, 400, -32600, 400, -32602, 400, -32020, 400, -32021, 400, -32022, 400, -32601,
          404);

  private final McpJsonMapper json;
  private final McpServer server;
  private final int maxListeners;
  private final AtomicInteger listeners = new AtomicInteger();

  /**
   * Opens the endpoint.
   *
   * @param more what only this era offers
   * @param files runs what reads files
   */
  public ModernEndpoint(
      Settings settings,
      Offer offer,
      List<ModernFeatures> more,
      McpJsonMapper json,
      JsonSchemaValidator validator,
      Executor files) {
    this.json = json;
    this.maxListeners = settings.mcp().maxSessions();
    ModernTools tools =
        new ModernTools(
            offer.tools(),
            more.stream().flatMap(features -> features.modernTools(json).stream()).toList(),
            json,
            settings.execution().watchInterval());
    byte[] key = new byte[32];
    RANDOM.nextBytes(key);
    McpServer.Builder builder =
        McpServer.builder()
            .serverInfo(serverInfo(offer.serverInfo()))
            .instructions(offer.instructions())
            .jsonMapper(json)
            .requestStateCodec(
                HmacRequestStateCodec.builder()
                    .key(key)
                    .jsonMapper(json)
                    .principalExtractor(
                        context -> ((ModernCall) context.get(ModernCall.KEY)).user().value())
                    .build())
            .discoverCache(CACHED.toMillis(), McpSchema.CacheScope.PUBLIC)
            .feature(
                ToolsFeature.ofAsync(
                    tools, json, validator, CACHED.toMillis(), McpSchema.CacheScope.PUBLIC))
            .feature(
                ResourcesFeature.ofAsync(
                    new ModernResources(offer.resources(), json, files),
                    json,
                    0,
                    McpSchema.CacheScope.PRIVATE))
            .subscriptions(new UserChanges(offer.changes()));
    more.forEach(features -> features.modernFeatures(json).forEach(builder::feature));
    this.server = builder.build();
  }

  /** Without what is large, for it is in every result. */
  private static McpSchema.Implementation serverInfo(Map<String, Object> info) {
    return McpSchema.Implementation.builder(
            String.valueOf(info.get("name")), String.valueOf(info.get("version")))
        .title(String.valueOf(info.get("title")))
        .build();
  }

  static ModernCall call(McpRequestContext context) {
    return (ModernCall) context.transportContext().get(ModernCall.KEY);
  }

  /** Takes a message. */
  public void post(RequestHead head, Exchange exchange, RpcMessage message) throws RpcException {
    if (message.kind() == RpcMessage.Kind.NOTIFICATION) {
      exchange.answer(202, "", new byte[0], Map.of()); // none is defined
      return;
    } else if (message.kind() == RpcMessage.Kind.RESPONSE) {
      throw new RpcException(
          400, RpcException.INVALID_REQUEST, "this server asks its clients nothing");
    }
    ModernHeaders.check(head, message);
    if (message.method().equals(LISTEN)) {
      admitListener(exchange);
    }
    answer(head, exchange, request(message));
  }

  private void admitListener(Exchange exchange) throws RpcException {
    if (listeners.incrementAndGet() > maxListeners) {
      listeners.decrementAndGet();
      throw new RpcException(
          503, RpcException.INTERNAL_ERROR, "this server has too many listeners; try again later");
    }
    exchange.stream().whenEnded().thenRun(listeners::decrementAndGet);
  }

  private JsonRpc.JSONRPCRequest request(RpcMessage message) throws RpcException {
    try {
      return json.convertValue(message.fields(), JsonRpc.JSONRPCRequest.class);
    } catch (IllegalArgumentException e) {
      throw new RpcException(
          400, RpcException.INVALID_REQUEST, "the body is not a request as MCP has them");
    }
  }

  private void answer(RequestHead head, Exchange exchange, JsonRpc.JSONRPCRequest request) {
    ModernCall call =
        new ModernCall(head.requester(), new Cancellation(), new CompletableFuture<>());
    McpTransportContext context =
        McpTransportContext.create(
            Map.of(ModernCall.KEY, call, McpHeaders.TRANSPORT_CONTEXT_KEY, head.mirrored()));
    // MCP 2026-07-28: closing the stream of an answer is how a client cancels.
    Disposable.Swap work = Disposables.swap();
    exchange.stream()
        .whenEnded()
        .thenAccept(
            ending -> {
              if (ending == Ending.BROKEN) {
                call.cancellation().cancel(", for its client went away");
                work.dispose();
              }
            });
    Flux<JsonRpc.JSONRPCMessage> messages =
        server
            .handle(context, request)
            .flatMapMany(response -> messages(response, call, exchange))
            .contextWrite(values -> values.put(McpTransportContext.KEY, context));
    work.update(
        messages.subscribe(
            message -> send(message, call, exchange),
            failure -> {
              LOG.log(System.Logger.Level.ERROR, "a request to the MCP endpoint failed", failure);
              exchange.stream().close();
            },
            exchange.stream()::close));
  }

  /** Begins the event stream of an answer that takes its time. */
  private static Flux<JsonRpc.JSONRPCMessage> messages(
      McpTransportResponse response, ModernCall call, Exchange exchange) {
    if (response instanceof McpTransportResponse.Streaming streaming) {
      ResponseStream stream = exchange.begin(200, SseFrames.MEDIA_TYPE, SseFrames.HEADERS);
      stream.keepAlive(SseFrames.COMMENT, SseFrames.HEARTBEAT);
      stream.write(SseFrames.COMMENT); // commits the response: some clients wait for its head
      call.stream().complete(stream);
      return streaming.messages();
    } else if (response instanceof McpTransportResponse.Error error) {
      return Flux.just(error.response());
    }
    return Flux.just(((McpTransportResponse.Result) response).response());
  }

  private void send(JsonRpc.JSONRPCMessage message, ModernCall call, Exchange exchange) {
    String text;
    try {
      text = json.writeValueAsString(message);
    } catch (IOException e) {
      throw new IllegalStateException("a message could not be written as JSON", e);
    }
    if (call.stream().isDone()) {
      exchange.stream().write(SseFrames.event(text));
    } else {
      exchange.answer(
          status(message),
          "application/json",
          text.getBytes(StandardCharsets.UTF_8),
          Map.of("Cache-Control", "no-store"));
    }
  }

  private static int status(JsonRpc.JSONRPCMessage message) {
    return message instanceof JsonRpc.JSONRPCResponse response && response.error() != null
        ? STATUS.getOrDefault(response.error().code(), 200)
        : 200;
  }

  /** How many clients listen. */
  public int listeners() {
    return listeners.get();
  }

  /** Ends every listener. */
  @Override
  public void close() {
    server.closeGracefully();
  }
}
