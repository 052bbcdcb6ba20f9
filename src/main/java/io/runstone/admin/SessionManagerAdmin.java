package io.runstone.admin;

import io.runstone.session.SessionInfo;
import io.runstone.session.SessionKey;
import io.runstone.session.SessionLimits;
import io.runstone.session.SessionManager;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The MXBean of the session manager. Not the EJB itself: a bean that implements an MXBean interface
 * would have that as its only business view. Thread-safe.
 */
final class SessionManagerAdmin implements SessionManagerMXBean {
  /** Ten years; far beyond that, sums of times overflow. */
  private static final long MAX_SECONDS = 315_360_000;

  private final SessionManager sessions;
  private final SessionOperations operations;
  private final SessionTotals totals;
  private final Clock clock;
  private final Object lock = new Object();

  SessionManagerAdmin(
      SessionManager sessions, SessionOperations operations, SessionTotals totals, Clock clock) {
    this.sessions = sessions;
    this.operations = operations;
    this.totals = totals;
    this.clock = clock;
  }

  @Override
  public int getSessions() {
    return sessions.all().size();
  }

  @Override
  public int getNamedSessions() {
    return (int) sessions.all().stream().filter(s -> s.key() instanceof SessionKey.Named).count();
  }

  @Override
  public int getRunningExecutions() {
    return (int) sessions.all().stream().filter(SessionInfo::running).count();
  }

  @Override
  public int getQueuedExecutions() {
    return sessions.all().stream().mapToInt(SessionInfo::queued).sum();
  }

  @Override
  public long getStartedTotal() {
    return totals.started();
  }

  @Override
  public long getStoppedTotal() {
    return totals.stopped();
  }

  @Override
  public long getDiedTotal() {
    return totals.died();
  }

  @Override
  public long getRefusedTotal() {
    return totals.refused();
  }

  @Override
  public int getSessionsPerUser() {
    return sessions.limits().perUser();
  }

  @Override
  public void setSessionsPerUser(int count) {
    change(now -> new SessionLimits(count, now.perNode(), now.idleTimeout(), now.maxLifetime()));
  }

  @Override
  public int getSessionsPerNode() {
    return sessions.limits().perNode();
  }

  @Override
  public void setSessionsPerNode(int count) {
    change(now -> new SessionLimits(now.perUser(), count, now.idleTimeout(), now.maxLifetime()));
  }

  @Override
  public long getIdleTimeoutSeconds() {
    return sessions.limits().idleTimeout().toSeconds();
  }

  @Override
  public void setIdleTimeoutSeconds(long seconds) {
    Duration time = duration(seconds);
    change(now -> new SessionLimits(now.perUser(), now.perNode(), time, now.maxLifetime()));
  }

  @Override
  public long getMaxLifetimeSeconds() {
    return sessions.limits().maxLifetime().toSeconds();
  }

  @Override
  public void setMaxLifetimeSeconds(long seconds) {
    Duration time = duration(seconds);
    change(now -> new SessionLimits(now.perUser(), now.perNode(), now.idleTimeout(), time));
  }

  private static Duration duration(long seconds) {
    if (seconds < 1 || seconds > MAX_SECONDS) {
      throw new IllegalArgumentException(
          "a timeout is from 1 to " + MAX_SECONDS + " seconds, not " + seconds);
    }
    return Duration.ofSeconds(seconds);
  }

  /** Under a lock, so that two changes of different limits do not undo each other. */
  private void change(UnaryOperator<SessionLimits> edit) {
    synchronized (lock) {
      sessions.setLimits(edit.apply(sessions.limits()));
    }
  }

  @Override
  public String getSandboxLevel() {
    return sessions.engineStatus().sandbox();
  }

  @Override
  public String getPythonVersion() {
    return sessions.engineStatus().python().orElse("");
  }

  @Override
  public String getAudit() {
    return sessions.auditState().label();
  }

  @Override
  public boolean isSuspended() {
    return sessions.isSuspended();
  }

  @Override
  public void suspend(long timeoutSeconds) {
    if (timeoutSeconds < 0) {
      throw new IllegalArgumentException("a timeout is 0 seconds or more");
    }
    sessions.suspend(Optional.empty(), Duration.ofSeconds(timeoutSeconds));
  }

  @Override
  public void resume() {
    sessions.resume(Optional.empty());
  }

  @Override
  public List<SessionSummary> listSessions() {
    Instant now = clock.instant();
    return sessions.all().stream().map(session -> SessionSummary.of(session, now)).toList();
  }

  @Override
  public void stopSession(String user, String id) {
    operations.stop(operations.key(user, id));
  }

  @Override
  public boolean interruptSession(String user, String id) {
    return operations.interrupt(operations.key(user, id));
  }
}
