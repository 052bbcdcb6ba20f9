package io.runstone.admin;

import io.runstone.session.SessionException;
import io.runstone.session.SessionInfo;
import io.runstone.session.SessionKey;
import io.runstone.session.SessionManager;
import io.runstone.session.StopReason;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * What both kinds of MXBean do with sessions, for callers that wait and that know only the JDK's
 * exceptions. Thread-safe.
 */
final class SessionOperations {
  private static final System.Logger LOG = System.getLogger(SessionOperations.class.getName());
  private static final long PATIENCE_SECONDS = 10;
  private static final int CAUSES_SEARCHED = 8;

  private final SessionManager sessions;

  SessionOperations(SessionManager sessions) {
    this.sessions = sessions;
  }

  List<SessionInfo> all() {
    return sessions.all();
  }

  Optional<SessionInfo> find(SessionKey key) {
    return all().stream().filter(session -> session.key().equals(key)).findFirst();
  }

  /** Returns the key of a session that is listed under this id. */
  SessionKey key(String user, String id) {
    return all().stream()
        .map(SessionInfo::key)
        .filter(key -> key.user().value().equals(user) && SessionNames.id(key).equals(id))
        .findFirst()
        .orElseThrow(() -> unknown(user, id));
  }

  void stop(SessionKey key) {
    String id = SessionNames.id(key);
    try {
      sessions
          .stop(key, StopReason.ADMINISTRATOR)
          .toCompletableFuture()
          .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw translate(key, e);
    } catch (RuntimeException e) {
      throw translate(key, e);
    } catch (TimeoutException e) {
      LOG.log(System.Logger.Level.DEBUG, "stop over JMX took too long", e);
      throw new IllegalStateException(
          "session "
              + id
              + " is being stopped, but its processes did not end within "
              + PATIENCE_SECONDS
              + " seconds; list the sessions later to see whether it is gone");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(
          "session " + id + " is being stopped, but this thread was told not to wait");
    }
  }

  boolean interrupt(SessionKey key) {
    try {
      return sessions.interrupt(key);
    } catch (RuntimeException e) {
      throw translate(key, e);
    }
  }

  /** Without a cause: its class may be unknown to the client, who would see nothing but that. */
  private static RuntimeException translate(SessionKey key, Exception failure) {
    Throwable cause = failure;
    for (int i = 0; i < CAUSES_SEARCHED && cause != null; i++) {
      if (cause instanceof SessionException found
          && found.category() == SessionException.Category.UNKNOWN) {
        return unknown(key.user().value(), SessionNames.id(key));
      }
      cause = cause.getCause();
    }
    LOG.log(System.Logger.Level.WARNING, "an operation over JMX failed", failure);
    return new IllegalStateException(
        "session " + SessionNames.id(key) + ": the operation failed; the server's log says why");
  }

  private static IllegalArgumentException unknown(String user, String id) {
    return new IllegalArgumentException(
        "user " + user + " has no session " + id + "; listSessions shows those there are");
  }
}
