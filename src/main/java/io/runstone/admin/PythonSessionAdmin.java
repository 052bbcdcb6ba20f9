package io.runstone.admin;

import io.runstone.session.SessionInfo;
import io.runstone.session.SessionKey;
import org.jspecify.annotations.Nullable;

/** The MXBean of one session; registered when the session starts and until it ends. Thread-safe. */
final class PythonSessionAdmin implements PythonSessionMXBean {
  private final SessionKey key;
  private final SessionOperations sessions;

  PythonSessionAdmin(SessionKey key, SessionOperations sessions) {
    this.key = key;
    this.sessions = sessions;
  }

  private SessionInfo info() {
    return sessions
        .find(key)
        .orElseThrow(
            () -> new IllegalStateException("session " + SessionNames.id(key) + " has ended"));
  }

  @Override
  public String getUser() {
    return key.user().value();
  }

  @Override
  public String getId() {
    return SessionNames.id(key);
  }

  @Override
  public String getCreatedAt() {
    return info().createdAt().toString();
  }

  @Override
  public String getLastUsedAt() {
    return info().lastUsedAt().toString();
  }

  @Override
  public boolean isRunning() {
    return info().running();
  }

  @Override
  public int getQueued() {
    return info().queued();
  }

  @Override
  public long getExecutions() {
    return info().executions();
  }

  @Override
  public @Nullable Long getPid() {
    return info().pid().orElse(null);
  }

  @Override
  public void stop() {
    sessions.stop(key);
  }

  @Override
  public boolean interrupt() {
    return sessions.interrupt(key);
  }
}
