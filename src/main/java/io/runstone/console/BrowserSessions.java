package io.runstone.console;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.runstone.security.Requester;
import io.runstone.security.Sha256;
import io.runstone.security.UserId;
import io.runstone.upstream.oauth.Pkce;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The browsers whose users are known, for half an hour each. Bounded for each user and altogether:
 * the oldest end first. Of a cookie only a digest is kept. Thread-safe.
 */
final class BrowserSessions {
  static final Duration LIFE = Duration.ofMinutes(30);
  private static final int MAX = 10_000;
  private static final int MAX_OF_USER = 20;

  private final Clock clock;
  private final Object lock = new Object();

  @GuardedBy("lock") private final Map<String, BrowserSession> sessions = new LinkedHashMap<>();

  /** A session, and the value of the cookie that it is found by. */
  record Opened(String cookie, BrowserSession session) {
    @Override
    public String toString() {
      return session.toString();
    }
  }

  BrowserSessions(Clock clock) {
    this.clock = clock;
  }

  /** Opens a session of a user who has logged in just now. */
  Opened open(Requester requester) {
    String cookie = Pkce.random();
    BrowserSession session =
        new BrowserSession(
            Sha256.hex(cookie), requester, Pkce.random(), clock.instant().plus(LIFE));
    synchronized (lock) {
      sessions.values().removeIf(this::isOver);
      List<String> others = namesOf(requester.user());
      if (others.size() >= MAX_OF_USER) {
        sessions.remove(others.get(0));
      } else if (sessions.size() >= MAX) {
        sessions.remove(sessions.keySet().iterator().next());
      }
      sessions.put(session.id(), session);
    }
    return new Opened(cookie, session);
  }

  @GuardedBy("lock") private List<String> namesOf(UserId user) {
    return sessions.values().stream()
        .filter(session -> session.requester().user().equals(user))
        .map(BrowserSession::id)
        .toList();
  }

  private boolean isOver(BrowserSession session) {
    return !clock.instant().isBefore(session.until());
  }

  /** The session that a cookie is of. */
  Optional<BrowserSession> find(Optional<String> cookie) {
    Optional<String> name = cookie.map(Sha256::hex);
    synchronized (lock) {
      return name.map(sessions::get).filter(session -> !isOver(session));
    }
  }

  /** Ends a session. */
  void end(BrowserSession session) {
    synchronized (lock) {
      sessions.remove(session.id());
    }
  }
}
