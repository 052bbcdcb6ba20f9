package io.runstone.session;

import io.runstone.concurrent.Threads;
import io.runstone.config.Settings;
import io.runstone.kernel.KernelEngine;
import io.runstone.session.SessionException.Category;
import io.runstone.workspace.WorkspaceGuard;
import io.runstone.workspace.Workspaces;
import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/**
 * Begins and ends the sessions of this server: admission within the limits, the end of what is
 * unused or old, and the events about it. Thread-safe; nothing waits for a kernel.
 */
final class SessionRegistry {
  private static final System.Logger LOG = System.getLogger(SessionRegistry.class.getName());

  /** An implicit session unused for less than this is not ended to make room for another. */
  private static final Duration ROOM_AFTER = Duration.ofSeconds(30);

  private final SessionTable table = new SessionTable();
  private final List<SessionListener> listeners = new CopyOnWriteArrayList<>();

  /** Implicit sessions that ended while their MCP session goes on, and does not know yet. */
  private final Set<SessionKey> lostUnawares = ConcurrentHashMap.newKeySet();

  private final KernelEngine engine;
  private final Threads threads;
  private final Workspaces workspaces;
  private final Clock clock;
  private final Settings settings;
  private final Supplier<SessionLimits> limits;
  private volatile boolean closing;

  SessionRegistry(
      KernelEngine engine,
      Threads threads,
      Workspaces workspaces,
      Clock clock,
      Settings settings,
      Supplier<SessionLimits> limits) {
    this.engine = engine;
    this.threads = threads;
    this.workspaces = workspaces;
    this.clock = clock;
    this.settings = settings;
    this.limits = limits;
  }

  /** A session that has its slot, and the stage of its start. */
  record Begun(PythonSession session, CompletionStage<SessionInfo> started) {}

  /**
   * Takes a slot and begins to start a session. On a full node, the implicit session that was
   * unused for longest makes room, if there is one.
   *
   * @return fails with a {@link SessionException} when the id is taken or a limit is reached
   */
  CompletionStage<Begun> begin(SessionKey key) {
    if (closing) {
      return CompletableFuture.failedStage(
          new SessionException(Category.UNAVAILABLE, "the server is shutting down"));
    }
    try {
      return CompletableFuture.completedStage(start(reserve(key)));
    } catch (SessionException e) {
      Optional<PythonSession> unused =
          e.category() == Category.NODE_LIMIT ? longestUnused() : Optional.empty();
      if (unused.isPresent()) {
        return end(unused.orElseThrow(), StopReason.MADE_ROOM)
            .thenApply(done -> start(reserveOrTell(key)));
      }
      tell(key, e);
      return CompletableFuture.failedStage(e);
    }
  }

  private Optional<PythonSession> longestUnused() {
    return table.all().stream()
        .filter(session -> session.key() instanceof SessionKey.Implicit)
        .filter(session -> session.isActive() && session.isIdleFor(ROOM_AFTER))
        .min(Comparator.comparing(session -> session.info().lastUsedAt()));
  }

  private PythonSession reserveOrTell(SessionKey key) {
    try {
      return reserve(key);
    } catch (SessionException e) {
      tell(key, e);
      throw e;
    }
  }

  private PythonSession reserve(SessionKey key) {
    return table.reserve(key, limits.get(), () -> create(key));
  }

  private void tell(SessionKey key, SessionException refusal) {
    Category category = refusal.category();
    if (category == Category.USER_LIMIT || category == Category.NODE_LIMIT) {
      publish(new SessionEvent.LimitReached(key, category));
    }
  }

  private PythonSession create(SessionKey key) {
    return new PythonSession(
        key,
        engine,
        new SessionQueue(threads.serial("session", settings.sessions().queueLength())),
        new WorkspaceGuard(settings.workspace(), clock),
        clock,
        this::publish);
  }

  private Begun start(PythonSession session) {
    CompletionStage<SessionInfo> started =
        session
            .start(() -> workspaces.directory(session.key().user()))
            .whenComplete(
                (info, failure) -> {
                  if (failure != null) {
                    end(session, StopReason.START_FAILED);
                  }
                });
    return new Begun(session, started);
  }

  Optional<PythonSession> find(SessionKey key) {
    return table.find(key);
  }

  /** Finds a session that can be used. */
  PythonSession active(SessionKey key) {
    return table.find(key).filter(PythonSession::isActive).orElseThrow(SessionRegistry::unknown);
  }

  static SessionException unknown() {
    return new SessionException(
        Category.UNKNOWN,
        "there is no session with this session_id; start it first, or list your sessions");
  }

  /** Every session that can be used, oldest first. */
  List<SessionInfo> all() {
    return table.all().stream()
        .filter(PythonSession::isActive)
        .map(PythonSession::info)
        .sorted(Comparator.comparing(SessionInfo::createdAt))
        .toList();
  }

  /**
   * Ends a session on request, also one that is only starting.
   *
   * @return the session as it was
   */
  CompletionStage<SessionInfo> stop(SessionKey key, StopReason reason) {
    if (key instanceof SessionKey.Implicit) { // there may be nobody left to be told
      lostUnawares.remove(key);
    }
    PythonSession session = find(key).orElseThrow(SessionRegistry::unknown);
    SessionInfo last = session.info();
    return end(session, reason).thenApply(done -> last);
  }

  /** Ends a session, whatever it does; the stage completes when its slot is free. */
  CompletionStage<Void> end(PythonSession session, StopReason reason) {
    if (session.key() instanceof SessionKey.Implicit && reason != StopReason.REQUESTED) {
      lostUnawares.add(session.key());
    }
    return session
        .stop()
        .thenRun(
            () -> {
              if (table.remove(session)) {
                publish(new SessionEvent.Stopped(session.key(), reason));
              }
            });
  }

  /**
   * Says, once, whether an implicit session was ended behind its user's back. Who asks tells the
   * user instead of running code in an empty namespace.
   */
  boolean wasLost(SessionKey key) {
    return lostUnawares.remove(key);
  }

  /** Ends what was not used for too long, or is too old. */
  void reap() {
    SessionLimits now = limits.get();
    for (PythonSession session : table.all()) {
      if (session.isOlderThan(now.maxLifetime())) {
        end(session, StopReason.LIFETIME);
      } else if (session.isActive() && session.isIdleFor(now.idleTimeout())) {
        end(session, StopReason.IDLE);
      }
    }
  }

  /** Interrupts what runs, and skips what waits. */
  void cutShort() {
    table.all().forEach(PythonSession::cutShort);
  }

  /** Ends every session, and begins no more. */
  CompletableFuture<Void> endAll() {
    closing = true;
    return CompletableFuture.allOf(
        table.all().stream()
            .map(session -> end(session, StopReason.SHUTDOWN).toCompletableFuture())
            .toArray(CompletableFuture<?>[]::new));
  }

  void addListener(SessionListener listener) {
    listeners.add(listener);
  }

  void removeListener(SessionListener listener) {
    listeners.remove(listener);
  }

  private void publish(SessionEvent event) {
    for (SessionListener listener : listeners) {
      try {
        listener.onEvent(event);
      } catch (RuntimeException e) {
        LOG.log(System.Logger.Level.WARNING, "a listener to session events failed", e);
      }
    }
  }
}
