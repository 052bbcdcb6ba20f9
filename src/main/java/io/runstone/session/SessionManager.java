package io.runstone.session;

import io.runstone.concurrent.Threads;
import io.runstone.config.Settings;
import io.runstone.kernel.EngineStatus;
import io.runstone.kernel.ExecuteRequest;
import io.runstone.kernel.ExecutionId;
import io.runstone.kernel.ExecutionResult;
import io.runstone.kernel.KernelEngine;
import io.runstone.kernel.OutputListener;
import io.runstone.security.Requester;
import io.runstone.security.UserId;
import io.runstone.security.audit.AuditEvent.Action;
import io.runstone.security.audit.AuditLog;
import io.runstone.security.audit.AuditState;
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
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
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

  private Intake intake;
  private Settings settings;
  private Threads threads;
  private KernelEngine engine;
  private Workspaces workspaces;
  private Clock clock;
  private AuditLog auditLog;
  private ExecutionCalls calls;

  private ScheduledThreadPoolExecutor reaper;
  private volatile SessionLimits limits;
  private StoredOutputs outputs;
  private SessionRegistry registry;
  private SessionAudit audit;
  private Dispatcher dispatcher;
  private volatile boolean closing;

  /** Takes what the container provides, before {@link #open}. */
  @Inject
  void use(
      Settings settings,
      Threads threads,
      KernelEngine engine,
      Workspaces workspaces,
      Clock clock,
      AuditLog auditLog,
      ExecutionCalls calls) {
    this.settings = settings;
    this.threads = threads;
    this.engine = engine;
    this.workspaces = workspaces;
    this.clock = clock;
    this.auditLog = auditLog;
    this.calls = calls;
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
    intake = new Intake(new Quotas(settings.quota(), clock));
    outputs = new StoredOutputs(settings.outputs());
    registry = new SessionRegistry(engine, threads, workspaces, clock, settings, () -> limits);
    audit = new SessionAudit(auditLog, settings.audit().required(), clock);
    registry.addListener(audit);
    registry.addListener(this::endCalls);
    dispatcher = new Dispatcher(registry);
    reaper = threads.timer("session-reaper");
    reaper.scheduleWithFixedDelay(
        registry::reap, REAP_EVERY_MILLIS, REAP_EVERY_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void endCalls(SessionEvent event) {
    if (event instanceof SessionEvent.Stopped stopped) {
      calls.ended(stopped.key());
    }
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
    CompletableFuture<Void> ended =
        CompletableFuture.allOf(registry.endAll(), intake.suspend().toCompletableFuture());
    outputs.close();
    engine.close();
    try {
      ended.get(STOP_PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      LOG.log(System.Logger.Level.WARNING, "some kernels did not report their end in time", e);
    }
    audit.close();
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
  public CompletionStage<SessionInfo> start(Requester requester, Optional<SessionId> id) {
    SessionKey key = new SessionKey.Named(requester.user(), id.orElseGet(SessionId::generate));
    return audit.starting(
        Action.START,
        requester,
        key,
        () -> {
          intake.check();
          return registry.begin(key).thenCompose(SessionRegistry.Begun::started);
        });
  }

  /**
   * Runs code, at most once. The result says what happened to it; the stage fails only when none of
   * it ran.
   */
  public CompletionStage<ExecutionResult> execute(
      Requester requester, ExecutionOrder order, OutputListener listener) {
    UserId user = requester.user();
    AuditedExecution audited = audit.execution(requester, order);
    try {
      audit.check();
      ExecuteRequest request =
          new ExecuteRequest(audited.id(), code(order), timeout(order), true, order.cancellation());
      int size = request.code().length();
      intake.begin(user, size);
      Submission cell =
          new Submission(
              request,
              listener,
              audited,
              session ->
                  calls.open(
                      new ExecutionCalls.Origin(requester, session, request.id()),
                      listener::onNote));
      return audited
          .endingWith(dispatcher.execute(user, order.target(), cell))
          .whenComplete((result, failure) -> intake.end(user, size, result))
          .thenApply(
              result -> {
                outputs.store(user, result);
                return result;
              });
    } catch (SessionException e) {
      return audited.endingWith(CompletableFuture.failedStage(e));
    }
  }

  /** Finds an output that a result has a link to, while it is kept. */
  public Optional<StoredOutput> output(UserId user, ExecutionId execution, int number) {
    return outputs.find(user, execution, number);
  }

  /** The links to a user's outputs that are kept, newest execution first. */
  public List<OutputLink> outputLinks(UserId user) {
    return outputs.links(user);
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

  /** Returns a named session; an id that another user has is as unknown as any. */
  public Optional<SessionInfo> find(UserId user, SessionId id) {
    return registry
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
    return registry.all();
  }

  /**
   * Stops a named session without waiting for its cell. When the stage completes, its processes are
   * gone and its id and slot are free.
   *
   * @return the session as it was
   */
  public CompletionStage<SessionInfo> stop(Requester requester, SessionId id) {
    return stop(requester, new SessionKey.Named(requester.user(), id), StopReason.REQUESTED);
  }

  /** Stops any session; for administrators, and for what owns an implicit one. */
  public CompletionStage<SessionInfo> stop(SessionKey key, StopReason reason) {
    return stop(Requester.of(key.user()), key, reason);
  }

  private CompletionStage<SessionInfo> stop(
      Requester requester, SessionKey key, StopReason reason) {
    return audit.telling(
        Action.STOP, requester, key, reason.label(), () -> registry.stop(key, reason));
  }

  /**
   * Interrupts the cell that runs in a session, if one does.
   *
   * @return whether one was running; what became of it is in its own result
   * @throws SessionException when there is no such session
   */
  public boolean interrupt(Requester requester, SessionId id) {
    SessionKey key = new SessionKey.Named(requester.user(), id);
    return audit.interrupting(requester, key, "", () -> registry.active(key).interrupt());
  }

  /** The same with any session; for administrators. */
  public boolean interrupt(SessionKey key) {
    return audit.interrupting(
        Requester.of(key.user()),
        key,
        StopReason.ADMINISTRATOR.label(),
        () -> registry.active(key).interrupt());
  }

  /**
   * Gives a session a fresh kernel. The cell that runs is ended, what waits is not run; both are
   * told so in their results.
   */
  public CompletionStage<SessionInfo> restart(Requester requester, SessionId id) {
    SessionKey key = new SessionKey.Named(requester.user(), id);
    return audit.starting(Action.RESTART, requester, key, () -> registry.active(key).restart());
  }

  /**
   * Takes no more sessions and executions, and lets those end that were taken. Those that have not
   * ended when the time is over are interrupted, and what then still waits is told that it did not
   * run.
   *
   * @param administrator who wants it, if that is known
   * @return completes when nothing runs or waits any more
   */
  public CompletionStage<Void> suspend(Optional<Requester> administrator, Duration timeout) {
    audit.administering(Action.DRAIN, administrator, "suspended");
    CompletionStage<Void> idle = intake.suspend();
    try {
      reaper.schedule(this::cutShort, timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      LOG.log(System.Logger.Level.DEBUG, "suspended while closing");
    }
    return idle;
  }

  private void cutShort() {
    if (intake.isSuspended()) {
      registry.cutShort();
    }
  }

  /**
   * Takes sessions and executions again.
   *
   * @param administrator who wants it, if that is known
   */
  public void resume(Optional<Requester> administrator) {
    audit.administering(Action.DRAIN, administrator, "resumed");
    intake.resume();
  }

  /** Whether no more work is taken. */
  public boolean isSuspended() {
    return intake.isSuspended();
  }

  /**
   * Suspends and waits until everything has ended, at most for the configured time and what an
   * interrupt takes; for whoever stops the application.
   */
  public void drain() {
    Duration timeout = settings.sessions().drainTimeout();
    long patience = timeout.plus(settings.execution().interruptGrace()).toMillis();
    try {
      suspend(Optional.empty(), timeout).toCompletableFuture().get(patience, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      LOG.log(System.Logger.Level.WARNING, "some executions did not end while draining");
    }
  }

  /** Whether decisions get into the audit log. */
  public AuditState auditState() {
    return audit.state();
  }

  /** Whether no work is taken because it could not be audited. */
  public boolean isRefusingUnaudited() {
    return audit.refusesWork();
  }

  /** The limits in force. */
  public SessionLimits limits() {
    return limits;
  }

  /** Changes the limits, for an administrator; sessions above a lowered limit stay. */
  public void setLimits(SessionLimits changed) {
    audit.administering(Action.LIMIT, Optional.empty(), "changed");
    limits = changed;
  }

  /** Adds a listener, until it is removed or the application stops. */
  public void addListener(SessionListener listener) {
    registry.addListener(listener);
  }

  /** Removes a listener. */
  public void removeListener(SessionListener listener) {
    registry.removeListener(listener);
  }
}
