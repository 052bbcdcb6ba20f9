package io.runstone.mcp.legacy;

import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpStreamableServerSession;
import io.runstone.config.Settings;
import io.runstone.mcp.feature.Changes;
import io.runstone.mcp.feature.McpSessionId;
import io.runstone.mcp.wire.RpcException;
import io.runstone.security.UserId;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** The MCP sessions of this server. Thread-safe. */
final class McpSessions {
  /** A session unused for less than this is not ended to make room for another. */
  private static final Duration ROOM_AFTER = Duration.ofSeconds(30);

  private final Map<McpSessionId, BoundSession> sessions = new ConcurrentHashMap<>();
  private final Settings.Mcp settings;
  private final McpStreamableServerSession.Factory factory;
  private final SessionStreams.Terms terms;
  private final Changes changes;
  private final McpJsonMapper json;
  private final Consumer<BoundSession> onEnd;
  private final Object opening = new Object();
  private volatile boolean closing;

  /**
   * Creates the store.
   *
   * @param factory makes the SDK's half of a session
   * @param onEnd hears of every session that ended
   */
  McpSessions(
      Settings.Mcp settings,
      McpStreamableServerSession.Factory factory,
      ScheduledExecutorService timer,
      Changes changes,
      McpJsonMapper json,
      Consumer<BoundSession> onEnd) {
    this.settings = settings;
    this.factory = factory;
    this.terms =
        new SessionStreams.Terms(
            new EventStore(settings.replayChars()), settings.resumeWindow(), timer);
    this.changes = changes;
    this.json = json;
    this.onEnd = onEnd;
  }

  /** A session that is just being made, and what its client is to be told. */
  record Opened(BoundSession session, McpSchema.InitializeResult result) {}

  /**
   * Opens a session.
   *
   * @throws RpcException when this user or this server has as many as they may
   */
  Opened open(UserId user, McpSchema.InitializeRequest request) throws RpcException {
    if (closing) {
      throw new RpcException(503, RpcException.INTERNAL_ERROR, "the server is shutting down");
    }
    synchronized (opening) { // so that sessions that are opened at once don't overshoot the bounds
      return opened(user, request);
    }
  }

  private Opened opened(UserId user, McpSchema.InitializeRequest request) throws RpcException {
    Predicate<BoundSession> own = session -> session.user().equals(user);
    long owned = sessions.values().stream().filter(own).count();
    if (owned >= settings.sessionsPerUser() && !makeRoom(own)) {
      throw new RpcException(
          503,
          RpcException.INTERNAL_ERROR,
          "you have too many MCP sessions; end one with DELETE, or try again later");
    }
    if (sessions.size() >= settings.maxSessions() && !makeRoom(any -> true)) {
      throw new RpcException(
          503,
          RpcException.INTERNAL_ERROR,
          "this server has too many MCP sessions; try again later");
    }
    var init = factory.startSession(request);
    McpSchema.InitializeResult result = init.initResult().block(); // is there already
    if (result == null) {
      throw new IllegalStateException("the handler of initialize answered nothing");
    }
    BoundSession session =
        new BoundSession(user, init.session(), result.protocolVersion(), terms, changes, json);
    sessions.put(session.id(), session);
    return new Opened(session, result);
  }

  /** Ends the session that was unused for longest, if that is long enough. */
  private boolean makeRoom(Predicate<BoundSession> among) {
    Optional<BoundSession> unused =
        sessions.values().stream()
            .filter(among)
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
   * @throws RpcException with 400 without an id, and with 404 for one that is unknown or somebody
   *     else's
   */
  BoundSession find(UserId user, Optional<McpSessionId> id) throws RpcException {
    if (id.isEmpty()) {
      throw new RpcException(
          400, RpcException.INVALID_REQUEST, "send the Mcp-Session-Id that initialize returned");
    }
    BoundSession session = sessions.get(id.orElseThrow());
    if (session == null || !session.user().equals(user)) {
      throw new RpcException(
          404,
          RpcException.SESSION_NOT_FOUND,
          "there is no such MCP session; initialize a new one");
    }
    session.touch();
    return session;
  }

  /** Returns a session that is known to exist, or existed a moment ago. */
  Optional<BoundSession> get(String id) {
    return Optional.ofNullable(sessions.get(new McpSessionId(id)));
  }

  /** Ends a session and the streams it listens on. */
  void end(BoundSession session) {
    if (sessions.remove(session.id(), session)) {
      session.close();
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

  /** Those there are. */
  List<McpSessionInfo> list() {
    return sessions.values().stream().map(BoundSession::info).toList();
  }

  /** Ends all of them, and takes no more. */
  void close() {
    closing = true;
    List.copyOf(sessions.values()).forEach(this::end);
  }
}
