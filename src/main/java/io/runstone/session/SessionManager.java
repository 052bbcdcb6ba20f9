package io.runstone.session;

import io.runstone.concurrent.Threads;
import io.runstone.config.Settings;
import io.runstone.kernel.EngineStatus;
import io.runstone.kernel.ExecuteRequest;
import io.runstone.kernel.ExecutionId;
import io.runstone.kernel.ExecutionResult;
import io.runstone.kernel.KernelEngine;
import io.runstone.kernel.OutputListener;
import io.runstone.kernel.SessionState;
import io.runstone.security.UserId;
import io.runstone.session.SessionException.Category;
import io.runstone.workspace.Workspaces;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.ejb.ConcurrencyManagement;
import jakarta.ejb.ConcurrencyManagementType;
import jakarta.ejb.Singleton;
import jakarta.ejb.Startup;
import jakarta.ejb.TransactionManagement;
import jakarta.ejb.TransactionManagementType;
import jakarta.inject.Inject;
import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The one owner of every session of this server, from deployment to undeployment.
 *
 * <p>No method waits for Python: what takes time is a {@link CompletionStage}, completed by the
 * session's own thread, and fails with a {@link SessionException}. Thread-safe by itself, hence
 * bean-managed concurrency: the container's default lock would let one caller wait for another.
 */
@Singleton
@Startup
@ConcurrencyManagement(ConcurrencyManagementType.BEAN)
@TransactionManagement(TransactionManagementType.BEAN) // there is nothing to roll back
public class SessionManager {
  private static final System.Logger LOG = System.getLogger(SessionManager.class.getName());
  private static final long REAP_EVERY_MILLIS = 1000;
  private static final long STOP_PATIENCE_SECONDS = 5;

  private final SessionTable table = new SessionTable();
  private final List<SessionListener> listeners = new CopyOnWriteArrayList<>();

  private Settings settings;
  private Threads threads;
  private KernelEngine engine;
  private Workspaces workspaces;
  private Clock clock;

  private ScheduledThreadPoolExecutor reaper;
  private volatile SessionLimits limits;
  private StoredOutputs outputs;
  private volatile boolean closing;

  /** Takes what the container provides, before {@link #open}. */
  @Inject
  void use(
      Settings settings, Threads threads, KernelEngine engine, Workspaces workspaces, Clock clock) {
    this.settings = settings;
    this.threads = threads;
    this.engine = engine;
    this.workspaces = workspaces;
    this.clock = clock;
  }

  @PostConstruct
  void open() {
    Settings.Sessions configured = settings.sessions();
    limits =
        new SessionLimits(
            configured.perUser(),
            configured.perNode(),
            configured.idleTimeout(),
            configured.maxLifetime());
    outputs = new StoredOutputs(settings.outputs());
    reaper = threads.timer("session-reaper");
    reaper.scheduleWithFixedDelay(
        this::reap, REAP_EVERY_MILLIS, REAP_EVERY_MILLIS, TimeUnit.MILLISECONDS);
  }

  /**
   * Ends every session and process. Idempotent. The application calls this as soon as it is to end:
   * Payara calls a {@code @PreDestroy} only when no more classes of the WAR can be loaded.
   */
  @PreDestroy
  public void close() {
    if (closing) {
      return;
    }
    closing = true;
    reaper.shutdownNow();
    CompletableFuture<?>[] stops =
        table.all().stream()
            .map(session -> end(session, StopReason.SHUTDOWN).toCompletableFuture())
            .toArray(CompletableFuture<?>[]::new);
    outputs.close();
    engine.close();
    try {
      CompletableFuture.allOf(stops).get(STOP_PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      LOG.log(System.Logger.Level.WARNING, "some kernels did not report their end in time", e);
    }
    listeners.clear();
  }

  /** What kernels this server can run. */
  public EngineStatus engineStatus() {
    return engine.status();
  }

  /**
   * Starts a named session.
   *
   * @param id its name; empty for a generated one
   */
  public CompletionStage<SessionInfo> start(UserId user, Optional<SessionId> id) {
    SessionKey key = new SessionKey.Named(user, id.orElseGet(SessionId::generate));
    try {
      return startNew(key);
    } catch (SessionException e) {
      return CompletableFuture.failedStage(e);
    }
  }

  private CompletionStage<SessionInfo> startNew(SessionKey key) {
    return started(reserve(key));
  }

  private CompletionStage<SessionInfo> started(PythonSession session) {
    return session
        .start(() -> workspaces.directory(session.key().user()))
        .whenComplete(
            (info, failure) -> {
              if (failure != null) {
                end(session, StopReason.START_FAILED);
              }
            });
  }

  private PythonSession reserve(SessionKey key) {
    if (closing) {
      throw new SessionException(Category.UNAVAILABLE, "the server is shutting down");
    }
    try {
      return table.reserve(key, limits, () -> create(key));
    } catch (SessionException e) {
      if (e.category() == Category.USER_LIMIT || e.category() == Category.NODE_LIMIT) {
        publish(new SessionEvent.LimitReached(key, e.category()));
      }
      throw e;
    }
  }

  private PythonSession create(SessionKey key) {
    int queue = settings.sessions().queueLength();
    return new PythonSession(
        key, engine, new SessionQueue(threads.serial("session", queue)), clock, this::publish);
  }

  /**
   * Runs code, at most once. The result says what happened to it; the stage fails only when none of
   * it ran.
   */
  public CompletionStage<ExecutionResult> execute(
      UserId user, ExecutionOrder order, OutputListener listener) {
    try {
      ExecuteRequest request =
          new ExecuteRequest(ExecutionId.random(), code(order), timeout(order));
      return run(user, order.target(), request, listener)
          .thenApply(
              result -> {
                outputs.store(user, result);
                return result;
              });
    } catch (SessionException e) {
      return CompletableFuture.failedStage(e);
    }
  }

  private CompletionStage<ExecutionResult> run(
      UserId user, ExecutionTarget target, ExecuteRequest request, OutputListener listener) {
    if (target instanceof ExecutionTarget.Named named) {
      return active(new SessionKey.Named(user, named.id())).execute(request, listener);
    } else if (target instanceof ExecutionTarget.Implicit implicit) {
      return implicit(new SessionKey.Implicit(user, implicit.mcpSessionId()))
          .execute(request, listener);
    }
    return executeOnce(new SessionKey.OneShot(user, UUID.randomUUID()), request, listener);
  }

  /** Finds an output that a result has a link to, while it is kept. */
  public Optional<StoredOutput> output(UserId user, ExecutionId execution, int number) {
    return outputs.find(user, execution, number);
  }

  private static String code(ExecutionOrder order) {
    if (order.code().isBlank()) {
      throw new SessionException(Category.BAD_REQUEST, "there is no code to run");
    }
    return order.code();
  }

  private Duration timeout(ExecutionOrder order) {
    Duration max = settings.execution().maxTimeout();
    Duration timeout = order.timeout().orElse(settings.execution().timeout());
    if (timeout.isNegative() || timeout.isZero() || timeout.compareTo(max) > 0) {
      throw new SessionException(
          Category.BAD_REQUEST, "a timeout is above 0 and at most " + max.toSeconds() + " seconds");
    }
    return timeout;
  }

  private PythonSession implicit(SessionKey key) {
    Optional<PythonSession> known = table.find(key);
    if (known.isPresent()) {
      return known.orElseThrow();
    }
    try {
      PythonSession session = reserve(key);
      started(session);
      return session;
    } catch (SessionException e) {
      if (e.category() == Category.TAKEN) { // by another call of the same MCP session, just now
        return table.find(key).orElseThrow(() -> e);
      }
      throw e;
    }
  }

  private CompletionStage<ExecutionResult> executeOnce(
      SessionKey key, ExecuteRequest request, OutputListener listener) {
    PythonSession session = reserve(key);
    return started(session)
        .thenCompose(info -> session.execute(request, listener))
        .thenApply(result -> result.withState(SessionState.NONE))
        .whenComplete((result, failure) -> end(session, StopReason.REQUESTED));
  }

  /** Returns a named session; an id that another user has is as unknown as any. */
  public Optional<SessionInfo> find(UserId user, SessionId id) {
    return table
        .find(new SessionKey.Named(user, id))
        .filter(PythonSession::isActive)
        .map(PythonSession::info);
  }

  /** Returns the user's named sessions, oldest first. */
  public List<SessionInfo> list(UserId user) {
    return all().stream()
        .filter(info -> info.key() instanceof SessionKey.Named && info.key().user().equals(user))
        .toList();
  }

  /** Returns every session of this server, oldest first; for administrators. */
  public List<SessionInfo> all() {
    return table.all().stream()
        .filter(PythonSession::isActive)
        .map(PythonSession::info)
        .sorted(Comparator.comparing(SessionInfo::createdAt))
        .toList();
  }

  /**
   * Stops a named session without waiting for its cell. When the stage completes, its processes are
   * gone and its id and slot are free.
   *
   * @return the session as it was
   */
  public CompletionStage<SessionInfo> stop(UserId user, SessionId id) {
    return stop(new SessionKey.Named(user, id), StopReason.REQUESTED);
  }

  /** Stops any session; for administrators, and for what owns an implicit one. */
  public CompletionStage<SessionInfo> stop(SessionKey key, StopReason reason) {
    try {
      PythonSession session = active(key);
      SessionInfo last = session.info();
      return end(session, reason).thenApply(done -> last);
    } catch (SessionException e) {
      return CompletableFuture.failedStage(e);
    }
  }

  /**
   * Interrupts the cell that runs in a session, if one does.
   *
   * @return whether one was running; what became of it is in its own result
   * @throws SessionException when there is no such session
   */
  public boolean interrupt(SessionKey key) {
    return active(key).interrupt();
  }

  /**
   * Gives a session a fresh kernel. The cell that runs is ended, what waits is not run; both are
   * told so in their results.
   */
  public CompletionStage<SessionInfo> restart(SessionKey key) {
    try {
      return active(key).restart();
    } catch (SessionException e) {
      return CompletableFuture.failedStage(e);
    }
  }

  private PythonSession active(SessionKey key) {
    return table
        .find(key)
        .filter(PythonSession::isActive)
        .orElseThrow(
            () ->
                new SessionException(
                    Category.UNKNOWN,
                    "there is no session with this session_id; start it first, or list your sessions"));
  }

  private CompletionStage<Void> end(PythonSession session, StopReason reason) {
    return session
        .stop()
        .thenRun(
            () -> {
              if (table.remove(session)) {
                publish(new SessionEvent.Stopped(session.key(), reason));
              }
            });
  }

  private void reap() {
    SessionLimits now = limits;
    for (PythonSession session : table.all()) {
      if (session.isOlderThan(now.maxLifetime())) {
        end(session, StopReason.LIFETIME);
      } else if (session.isActive() && session.isIdleFor(now.idleTimeout())) {
        end(session, StopReason.IDLE);
      }
    }
  }

  /** The limits in force. */
  public SessionLimits limits() {
    return limits;
  }

  /** Changes the limits; sessions above a lowered limit stay. */
  public void setLimits(SessionLimits changed) {
    limits = changed;
  }

  /** Adds a listener, until it is removed or the application stops. */
  public void addListener(SessionListener listener) {
    listeners.add(listener);
  }

  /** Removes a listener. */
  public void removeListener(SessionListener listener) {
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
