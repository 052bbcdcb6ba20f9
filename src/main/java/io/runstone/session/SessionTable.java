package io.runstone.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.runstone.security.UserId;
import io.runstone.session.SessionException.Category;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The sessions of this server, and the slots they take. A slot is taken before a kernel starts, so
 * that starts at the same time never overshoot a limit. Thread-safe; nothing blocks under its lock.
 */
final class SessionTable {
  private final Object lock = new Object();

  @GuardedBy("lock") private final Map<SessionKey, PythonSession> sessions = new HashMap<>();

  /**
   * Takes a slot.
   *
   * @param create makes the session; must not block
   * @throws SessionException when the id is taken or a limit is reached
   */
  PythonSession reserve(SessionKey key, SessionLimits limits, Supplier<PythonSession> create) {
    synchronized (lock) {
      if (sessions.containsKey(key)) {
        throw new SessionException(
            Category.TAKEN,
            "a session with the id "
                + key.label()
                + " exists; use it, stop it or choose another id");
      }
      checkLimits(key, limits);
      PythonSession session = create.get();
      sessions.put(key, session);
      return session;
    }
  }

  @GuardedBy("lock") private void checkLimits(SessionKey key, SessionLimits limits) {
    if (key instanceof SessionKey.Named && namedOf(key.user()) >= limits.perUser()) {
      throw new SessionException(
          Category.USER_LIMIT,
          "you have "
              + limits.perUser()
              + " sessions, which is the limit; stop one of them and try again");
    }
    if (sessions.size() >= limits.perNode()) {
      throw new SessionException(
          Category.NODE_LIMIT, "this server runs as many kernels as it may; try again later");
    }
  }

  @GuardedBy("lock") private long namedOf(UserId user) {
    return sessions.keySet().stream()
        .filter(other -> other instanceof SessionKey.Named && other.user().equals(user))
        .count();
  }

  Optional<PythonSession> find(SessionKey key) {
    synchronized (lock) {
      return Optional.ofNullable(sessions.get(key));
    }
  }

  /** Frees a session's slot; does nothing when the id belongs to another session by now. */
  boolean remove(PythonSession session) {
    synchronized (lock) {
      return sessions.remove(session.key(), session);
    }
  }

  List<PythonSession> all() {
    synchronized (lock) {
      return List.copyOf(sessions.values());
    }
  }
}
