package io.runstone.mcp.legacy;

import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.json.schema.JsonSchemaValidator;
import io.modelcontextprotocol.server.McpNotificationHandler;
import io.modelcontextprotocol.server.McpRequestHandler;
import io.modelcontextprotocol.spec.DefaultMcpStreamableServerSessionFactory;
import io.modelcontextprotocol.spec.McpSchema;
import io.runstone.config.Settings;
import io.runstone.http.Exchange;
import io.runstone.kernel.Cancellation;
import io.runstone.mcp.feature.McpSessionId;
import io.runstone.mcp.feature.Offer;
import io.runstone.mcp.wire.RequestHead;
import io.runstone.mcp.wire.RpcException;
import io.runstone.mcp.wire.RpcMessage;
import io.runstone.mcp.wire.SseFrames;
import io.runstone.security.Requester;
import io.runstone.security.UserId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The revisions of MCP with sessions: Streamable HTTP of 2025-03-26 to 2025-11-25. The SDK's
 * sessions speak the protocol; what carries them is ours, see {@code
 * docs/adr/0003-own-mcp-transport.md}. Thread-safe.
 */
public final class LegacyEndpoint implements AutoCloseable {
  /** The revisions, oldest first. */
  public static final List<String> VERSIONS = List.of("2025-03-26", "2025-06-18", "2025-11-25");

  private static final System.Logger LOG = System.getLogger(LegacyEndpoint.class.getName());
  private static final TypeRef<McpSchema.InitializeRequest> INITIALIZE = new TypeRef<>() {};
  private static final TypeRef<McpSchema.ServerCapabilities> CAPABILITIES = new TypeRef<>() {};
  private static final TypeRef<McpSchema.Implementation> IMPLEMENTATION = new TypeRef<>() {};
  private static final Pattern VERSION = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}");

  /** For questions to the client; none of ours asks one. */
  private static final Duration QUESTION_TIMEOUT = Duration.ofMinutes(5);

  private final McpJsonMapper json;
  private final McpSessions sessions;

  /**
   * Opens the endpoint.
   *
   * @param more what only this era offers
   * @param files runs what reads files
   * @param onEnd hears of every MCP session that ended
   */
  public LegacyEndpoint(
      Settings settings,
      Offer offer,
      List<LegacyFeatures> more,
      McpJsonMapper json,
      JsonSchemaValidator validator,
      ScheduledExecutorService timer,
      Executor files,
      BiConsumer<UserId, McpSessionId> onEnd) {
    this.json = json;
    LegacyHandlers handlers =
        new LegacyHandlers(
            offer.tools(),
            offer.resources(),
            id -> findOpen(id),
            validator,
            files,
            settings.execution().watchInterval());
    Map<String, McpRequestHandler<?>> byMethod = handlers.byMethod();
    more.forEach(features -> byMethod.putAll(features.handlers()));
    Map<String, McpNotificationHandler> notifications =
        Map.of(McpSchema.METHOD_NOTIFICATION_INITIALIZED, (exchange, params) -> Mono.empty());
    McpSchema.InitializeResult greeting = greeting(offer, more, json);
    this.sessions =
        new McpSessions(
            settings.mcp(),
            new DefaultMcpStreamableServerSessionFactory(
                QUESTION_TIMEOUT,
                request -> Mono.just(agreed(greeting, request.protocolVersion())),
                byMethod,
                notifications,
                id -> Mono.empty(),
                validator),
            timer,
            offer.changes(),
            json,
            ended -> onEnd.accept(ended.user(), ended.id()));
  }

  private Optional<BoundSession> findOpen(String id) {
    return sessions.get(id);
  }

  private static McpSchema.InitializeResult greeting(
      Offer offer, List<LegacyFeatures> more, McpJsonMapper json) {
    Map<String, Object> capabilities = new HashMap<>();
    capabilities.put("tools", Map.of("listChanged", !more.isEmpty()));
    capabilities.put("resources", Map.of("subscribe", true, "listChanged", true));
    capabilities.put("logging", Map.of());
    more.forEach(features -> capabilities.putAll(features.capabilities()));
    return new McpSchema.InitializeResult(
        VERSIONS.get(VERSIONS.size() - 1),
        json.convertValue(capabilities, CAPABILITIES),
        json.convertValue(offer.serverInfo(), IMPLEMENTATION),
        offer.instructions(),
        null);
  }

  private static McpSchema.InitializeResult agreed(
      McpSchema.InitializeResult greeting, String version) {
    return VERSIONS.contains(version)
        ? new McpSchema.InitializeResult(
            version, greeting.capabilities(), greeting.serverInfo(), greeting.instructions(), null)
        : greeting;
  }

  /** Takes a message. */
  public void post(RequestHead head, Exchange exchange, RpcMessage message) throws RpcException {
    if (message.method().equals(McpSchema.METHOD_INITIALIZE)) {
      initialize(head, exchange, message);
      return;
    }
    BoundSession session = sessions.find(head.user(), head.sessionId());
    checkVersion(head);
    if (message.kind() == RpcMessage.Kind.REQUEST) {
      call(head.requester(), session, exchange, request(message));
      return;
    } else if (message.kind() == RpcMessage.Kind.NOTIFICATION) {
      notified(session, message);
    } else {
      answered(session, message);
    }
    accepted(exchange);
  }

  private static void accepted(Exchange exchange) {
    exchange.answer(202, "", new byte[0], Map.of());
  }

  /**
   * MCP 2025-06-18, "Protocol Version Header": an unsupported one is 400, a missing one is fine.
   */
  private static void checkVersion(RequestHead head) throws RpcException {
    if (head.version().isPresent() && !VERSIONS.contains(head.version().orElseThrow())) {
      throw new RpcException(
          400,
          RpcException.INVALID_REQUEST,
          "this MCP-Protocol-Version is not one with sessions; use one of "
              + String.join(", ", VERSIONS));
    }
  }

  private void initialize(RequestHead head, Exchange exchange, RpcMessage message)
      throws RpcException {
    McpSchema.JSONRPCRequest call = request(message);
    McpSessions.Opened opened = sessions.open(head.user(), greetingOf(message));
    EventStream stream = opened.session().streams().plain(() -> {});
    Map<String, String> headers = new HashMap<>(SseFrames.HEADERS);
    headers.put("Mcp-Session-Id", opened.session().id().value());
    stream.open(exchange.begin(200, SseFrames.MEDIA_TYPE, headers));
    send(stream, McpSchema.JSONRPCResponse.result(call.id(), opened.result()));
    stream.end();
  }

  private McpSchema.InitializeRequest greetingOf(RpcMessage message) throws RpcException {
    try {
      McpSchema.InitializeRequest request = json.convertValue(message.params(), INITIALIZE);
      // Nothing that a client made up gets into a log.
      return VERSION.matcher(request.protocolVersion()).matches()
          ? request
          : new McpSchema.InitializeRequest(
              "unknown", request.capabilities(), request.clientInfo(), request.meta());
    } catch (IllegalArgumentException e) {
      throw new RpcException(
          400,
          RpcException.INVALID_REQUEST,
          "initialize needs protocolVersion, capabilities and clientInfo");
    }
  }

  private McpSchema.JSONRPCRequest request(RpcMessage message) throws RpcException {
    try {
      return json.convertValue(message.fields(), McpSchema.JSONRPCRequest.class);
    } catch (IllegalArgumentException e) {
      throw new RpcException(
          400, RpcException.INVALID_REQUEST, "the body is not a request as MCP has them");
    }
  }

  private void call(
      Requester requester, BoundSession session, Exchange exchange, McpSchema.JSONRPCRequest call)
      throws RpcException {
    Cancellation cancellation = new Cancellation();
    Runnable onLost = () -> cancellation.cancel(", for its client went away");
    boolean lasting = call.method().equals(McpSchema.METHOD_TOOLS_CALL);
    EventStream stream =
        lasting ? session.streams().resumable(onLost) : session.streams().plain(onLost);
    ServerCall running = new ServerCall(requester, cancellation, stream);
    session.begin(call.id(), running);
    stream.open(exchange.begin(200, SseFrames.MEDIA_TYPE, SseFrames.HEADERS));
    session
        .sdk()
        .responseStream(new StreamTransport(stream::send, json))
        .handle(call)
        .contextWrite(
            context ->
                context.put(
                    McpTransportContext.KEY,
                    McpTransportContext.create(Map.of(ServerCall.KEY, running))))
        .subscribe(
            done -> {},
            failure -> {
              refuse(stream, call, failure);
              finished(session, call, running);
            },
            () -> finished(session, call, running));
  }

  private static void finished(
      BoundSession session, McpSchema.JSONRPCRequest call, ServerCall running) {
    session.end(call.id(), running);
    running.stream().end();
  }

  /**
   * A call that the SDK could not read, or whose answer could not be written, is answered all the
   * same, or its client would wait.
   */
  private void refuse(EventStream stream, McpSchema.JSONRPCRequest call, Throwable failure) {
    send(
        stream,
        McpSchema.JSONRPCResponse.error(
            call.id(),
            failure instanceof UncheckedIOException
                ? new McpSchema.JSONRPCResponse.JSONRPCError(
                    RpcException.INTERNAL_ERROR, "the answer could not be written")
                : new McpSchema.JSONRPCResponse.JSONRPCError(
                    RpcException.INVALID_PARAMS, "the params are not those of this method")));
  }

  private void send(EventStream stream, McpSchema.JSONRPCMessage message) {
    try {
      stream.send(json.writeValueAsString(message));
    } catch (IOException e) {
      LOG.log(System.Logger.Level.ERROR, "a message could not be written as JSON", e);
    }
  }

  /** The SDK would log what it has no handler for, with what a client wrote into it. */
  private void notified(BoundSession session, RpcMessage message) {
    if (message.method().equals("notifications/cancelled")) {
      @Nullable Object id = message.params().get("requestId");
      if (id != null) {
        session.cancel(id);
      }
    } else if (message.method().equals(McpSchema.METHOD_NOTIFICATION_INITIALIZED)) {
      session
          .sdk()
          .accept(json.convertValue(message.fields(), McpSchema.JSONRPCNotification.class))
          .subscribe();
    }
  }

  private void answered(BoundSession session, RpcMessage message) throws RpcException {
    McpSchema.JSONRPCResponse response;
    try {
      response = json.convertValue(message.fields(), McpSchema.JSONRPCResponse.class);
    } catch (IllegalArgumentException e) {
      throw new RpcException(
          400, RpcException.INVALID_REQUEST, "the body is not a response as MCP has them");
    }
    session
        .sdk()
        .accept(response)
        .subscribe(
            done -> {},
            failure -> LOG.log(System.Logger.Level.DEBUG, "an answer to no question was dropped"));
  }

  /** Opens a stream to listen on, or continues one that broke. */
  public void listen(RequestHead head, Exchange exchange) throws RpcException {
    BoundSession session = sessions.find(head.user(), head.sessionId());
    checkVersion(head);
    if (head.lastEventId().isPresent()) {
      var found = session.streams().resumption(head.lastEventId().orElseThrow());
      found.accept(exchange.begin(200, SseFrames.MEDIA_TYPE, SseFrames.HEADERS));
    } else {
      EventStream stream = session.streams().listener();
      stream.open(exchange.begin(200, SseFrames.MEDIA_TYPE, SseFrames.HEADERS));
    }
  }

  /** Ends a session. */
  public void delete(RequestHead head) throws RpcException {
    BoundSession session = sessions.find(head.user(), head.sessionId());
    checkVersion(head);
    sessions.end(session);
  }

  /** Whether an MCP session goes on. */
  public boolean isOpen(McpSessionId id) {
    return sessions.isOpen(id);
  }

  /** Ends the sessions that were unused for too long. */
  public void evictIdle() {
    sessions.evictIdle();
  }

  /** The sessions there are. */
  public List<McpSessionInfo> list() {
    return sessions.list();
  }

  /** Ends a session, if it is still there. */
  public void end(McpSessionId id) {
    sessions.get(id.value()).ifPresent(sessions::end);
  }

  /** Ends every session. */
  @Override
  public void close() {
    sessions.close();
  }
}
