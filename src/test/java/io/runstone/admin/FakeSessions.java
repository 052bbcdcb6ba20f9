package io.runstone.admin;

import io.runstone.kernel.EngineStatus;
import io.runstone.security.UserId;
import io.runstone.security.audit.AuditState;
import io.runstone.session.SessionEvent;
import io.runstone.session.SessionException;
import io.runstone.session.SessionId;
import io.runstone.session.SessionInfo;
import io.runstone.session.SessionKey;
import io.runstone.session.SessionLimits;
import io.runstone.session.SessionListener;
import io.runstone.session.SessionManager;
import io.runstone.session.StopReason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Sessions without Python. Not thread-safe. */
class FakeSessions extends SessionManager {
  static final Instant CREATED = Instant.parse("2026-11-30T12:00:00Z");

  final List<SessionListener> listeners = new ArrayList<>();
  final Map<SessionKey, SessionInfo> running = new LinkedHashMap<>();
  final List<StopReason> stops = new ArrayList<>();
  private SessionLimits limits =
      new SessionLimits(5, 64, Duration.ofMinutes(30), Duration.ofHours(24));

  static SessionKey named(String id) {
    return new SessionKey.Named(new UserId("ann"), new SessionId(id));
  }

  void begin(SessionKey key, boolean executing) {
    running.put(key, new SessionInfo(key, CREATED, CREATED, executing, 1, 2, Optional.of(4711L)));
    publish(new SessionEvent.Started(key));
  }

  void publish(SessionEvent event) {
    List.copyOf(listeners).forEach(listener -> listener.onEvent(event));
  }

  @Override
  public EngineStatus engineStatus() {
    return new EngineStatus(
        true, "bubblewrap", "cgroup v2", Optional.of("3.11.2"), "", Optional.empty());
  }

  @Override
  public AuditState auditState() {
    return AuditState.OK;
  }

  @Override
  public List<SessionInfo> all() {
    return List.copyOf(running.values());
  }

  /** Fails as an EJB container does: in an exception of its own. */
  @Override
  public boolean interrupt(SessionKey key) {
    return Optional.ofNullable(running.get(key))
        .orElseThrow(() -> new IllegalStateException("container", unknown()))
        .running();
  }

  @Override
  public CompletionStage<SessionInfo> stop(SessionKey key, StopReason reason) {
    SessionInfo last = running.remove(key);
    if (last == null) {
      return CompletableFuture.failedStage(unknown());
    }
    stops.add(reason);
    publish(new SessionEvent.Stopped(key, reason));
    return CompletableFuture.completedStage(last);
  }

  private static SessionException unknown() {
    return new SessionException(SessionException.Category.UNKNOWN, "unknown");
  }

  @Override
  public SessionLimits limits() {
    return limits;
  }

  @Override
  public void setLimits(SessionLimits changed) {
    limits = changed;
  }

  @Override
  public void addListener(SessionListener listener) {
    listeners.add(listener);
  }

  @Override
  public void removeListener(SessionListener listener) {
    listeners.remove(listener);
  }

  @Override
  public boolean isSuspended() {
    return false;
  }
}
