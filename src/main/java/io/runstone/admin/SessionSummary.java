package io.runstone.admin;

import io.runstone.session.SessionInfo;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import javax.management.ConstructorParameters;
import org.jspecify.annotations.Nullable;

/**
 * A session in a list, in the form that MXBeans turn into open data; a class with getters, because
 * MXBeans know records only from Java 21 on. Immutable.
 */
public final class SessionSummary {
  private final String user;
  private final String id;
  private final String createdAt;
  private final String lastUsedAt;
  private final long idleSeconds;
  private final boolean running;
  private final int queued;
  private final long executions;
  private final @Nullable Long pid;

  /** Creates the summary; management clients use this to rebuild it from open data. */
  @ConstructorParameters({
    "user",
    "id",
    "createdAt",
    "lastUsedAt",
    "idleSeconds",
    "running",
    "queued",
    "executions",
    "pid"
  })
  public SessionSummary(
      String user,
      String id,
      String createdAt,
      String lastUsedAt,
      long idleSeconds,
      boolean running,
      int queued,
      long executions,
      @Nullable Long pid) {
    this.user = user;
    this.id = id;
    this.createdAt = createdAt;
    this.lastUsedAt = lastUsedAt;
    this.idleSeconds = idleSeconds;
    this.running = running;
    this.queued = queued;
    this.executions = executions;
    this.pid = pid;
  }

  static SessionSummary of(SessionInfo session, Instant now) {
    long idle = session.running() ? 0 : Duration.between(session.lastUsedAt(), now).toSeconds();
    return new SessionSummary(
        session.key().user().value(),
        SessionNames.id(session.key()),
        session.createdAt().truncatedTo(ChronoUnit.SECONDS).toString(),
        session.lastUsedAt().truncatedTo(ChronoUnit.SECONDS).toString(),
        Math.max(0, idle),
        session.running(),
        session.queued(),
        session.executions(),
        session.pid().orElse(null));
  }

  /** Whose session it is. */
  public String getUser() {
    return user;
  }

  /** Its id, as the operations take it. */
  public String getId() {
    return id;
  }

  /** When it was asked for: ISO 8601, UTC, to the second. */
  public String getCreatedAt() {
    return createdAt;
  }

  /** When it was last used: ISO 8601, UTC, to the second. */
  public String getLastUsedAt() {
    return lastUsedAt;
  }

  /** Seconds since its last execution ended; 0 while one runs. */
  public long getIdleSeconds() {
    return idleSeconds;
  }

  /** Whether an execution runs. */
  public boolean isRunning() {
    return running;
  }

  /** Executions that wait. */
  public int getQueued() {
    return queued;
  }

  /** Executions that ended. */
  public long getExecutions() {
    return executions;
  }

  /** Process id of its outermost process on the host; null while there is none. */
  public @Nullable Long getPid() {
    return pid;
  }
}
