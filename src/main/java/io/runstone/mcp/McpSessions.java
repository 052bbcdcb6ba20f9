package io.runstone.mcp;

import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpStreamableServerSession;
import io.modelcontextprotocol.spec.McpStreamableServerTransportProvider;
import io.runstone.config.Settings;
import io.runstone.security.UserId;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The MCP sessions of this server: what the SDK calls a transport provider. Thread-safe.
 *
 * <p>The SDK's own provider is a servlet that blocks a thread for each call, answers {@code
 * initialize} as plain JSON and errors with a stack trace (java-sdk#955), and binds no session to a
 * user; see {@code docs/adr/0003-own-mcp-transport.md}.
 */
final class McpSessions implements McpStreamableServerTransportProvider {
  static final List<String> PROTOCOL_VERSIONS = List.of("2025-03-26", "2025-06-18", "2025-11-25");

  /** A session unused for less than this is not ended to make room for another. */
  private static final Duration ROOM_AFTER = Duration.ofSeconds(30);

  private final Map<McpSessionId, BoundSession> sessions = new ConcurrentHashMap<>();
  private final Settings.Mcp settings;
  private final Consumer<BoundSession> onEnd;
  private volatile McpStreamableServerSession.@Nullable Factory factory;
  private volatile boolean closing;

  /**
   * Creates the store.
   *
   * @param onEnd hears of every session that ended
   */
  McpSessions(Settings.Mcp settings, Consumer<BoundSession> onEnd) {
    this.settings = settings;
    this.onEnd = onEnd;
  }

  @Override
  public void setSessionFactory(McpStreamableServerSession.Factory sessionFactory) {
    factory = sessionFactory;
  }

  @Override
  public List<String> protocolVersions() {
    return PROTOCOL_VERSIONS;
  }

  /** A session that is just being made, and what its client is to be told. */
  record Opened(BoundSession session, Mono<McpSchema.InitializeResult> result) {}

  /**
   * Opens a session.
   *
   * @throws RpcException when this server has as many as it may
   */
  Opened open(UserId user, McpSchema.InitializeRequest request) throws RpcException {
    McpStreamableServerSession.Factory make = factory;
    if (closing || make == null) {
      throw new RpcException(503, RpcException.INTERNAL_ERROR, "the server is shutting down");
    }
    if (sessions.size() >= settings.maxSessions() && !makeRoom()) {
      throw new RpcException(
          503,
          RpcException.INTERNAL_ERROR,
          "this server has too many MCP sessions; try again later");
    }
    McpStreamableServerSession.McpStreamableServerSessionInit init = make.startSession(request);
    BoundSession session = new BoundSession(user, init.session());
    sessions.put(session.id(), session);
    return new Opened(session, init.initResult());
  }

  /** Ends the session that was unused for longest, if that is long enough. */
  private boolean makeRoom() {
    Optional<BoundSession> unused =
        sessions.values().stream()
            .filter(session -> session.isIdleFor(ROOM_AFTER.toNanos()))
            .min(Comparator.comparingLong(BoundSession::lastUsedNanos));
    unused.ifPresent(this::end);
    return unused.isPresent();
  }

  /** Whether a session of that id goes on. */
  boolean isOpen(McpSessionId id) {
    return sessions.containsKey(id);
  }

  /**
   * Finds a session of this user.
   *
   * @throws RpcException with 404, as for an unknown id, when it belongs to somebody else
   */
  BoundSession find(UserId user, McpSessionId id) throws RpcException {
    BoundSession session = sessions.get(id);
    if (session == null || !session.user().equals(user)) {
      throw new RpcException(
          404,
          RpcException.SESSION_NOT_FOUND,
          "there is no such MCP session; initialize a new one");
    }
    session.touch();
    return session;
  }

  /** Ends a session and its streams. */
  void end(BoundSession session) {
    if (sessions.remove(session.id(), session)) {
      session
          .sdk()
          .closeGracefully()
          .subscribe(done -> {}, failure -> onEnd.accept(session), () -> onEnd.accept(session));
    }
  }

  /** Ends the sessions that were unused for the idle timeout. */
  void evictIdle() {
    long nanos = settings.idleTimeout().toNanos();
    sessions.values().stream().filter(s -> s.isIdleFor(nanos)).forEach(this::end);
  }

  /** How many there are. */
  int size() {
    return sessions.size();
  }

  @Override
  public Mono<Void> notifyClients(String method, Object params) {
    return Flux.fromIterable(sessions.values())
        .flatMap(s -> s.sdk().sendNotification(method, params).onErrorComplete())
        .then();
  }

  @Override
  public Mono<Void> notifyClient(String sessionId, String method, Object params) {
    BoundSession session = sessions.get(new McpSessionId(sessionId));
    return session == null ? Mono.empty() : session.sdk().sendNotification(method, params);
  }

  @Override
  public Mono<Void> closeGracefully() {
    return Mono.fromRunnable(
        () -> {
          closing = true;
          List.copyOf(sessions.values()).forEach(this::end);
        });
  }
}
