package io.runstone.upstream.pool;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.runstone.concurrent.Causes;
import io.runstone.security.UserId;
import io.runstone.upstream.Authorizer;
import io.runstone.upstream.Credentials;
import io.runstone.upstream.ServerDirectory;
import io.runstone.upstream.ServerName;
import io.runstone.upstream.UpstreamCaller;
import io.runstone.upstream.UpstreamConnection;
import io.runstone.upstream.UpstreamConnector;
import io.runstone.upstream.UpstreamException;
import io.runstone.upstream.UpstreamException.Kind;
import io.runstone.upstream.UpstreamServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sessions with upstream servers, one for each user, owner, server and version of the user's
 * credentials; one for everything of a user only with a server that was declared or found to keep
 * nothing of a session.
 *
 * <p>A session is opened by the first who wants it, and by nobody else meanwhile. It is not ended
 * for room or idleness while it is used. Nothing is sent while the lock is held. Thread-safe.
 */
public final class UpstreamSessionPool implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(UpstreamSessionPool.class.getName());
  private static final Duration ENDING = Duration.ofSeconds(2);

  private final UpstreamConnector connector;
  private final Credentials credentials;
  private final ServerDirectory directory;
  private final Supplier<PoolLimits> limits;
  private final LongSupplier nanoTime;
  private final Breakers breakers;
  private final Object lock = new Object();

  @GuardedBy("lock") private final SessionTable sessions = new SessionTable();

  /** Servers that were found to keep nothing, as they were declared then. */
  @GuardedBy("lock") private final Set<UpstreamServer> stateless = new HashSet<>();

  @GuardedBy("lock") private boolean closed;

  /** Opens an empty pool; whoever does so calls {@link #tend} every second or so. */
  public UpstreamSessionPool(
      UpstreamConnector connector,
      Credentials credentials,
      ServerDirectory directory,
      Supplier<PoolLimits> limits,
      LongSupplier nanoTime) {
    this.connector = connector;
    this.credentials = credentials;
    this.directory = directory;
    this.limits = limits;
    this.nanoTime = nanoTime;
    this.breakers = new Breakers();
  }

  /** A key that was shared for a reason that holds no more. */
  private static final class NotSharedException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /**
   * Does something with the session of a caller, which is opened if need be.
   *
   * @param work is given the session and what proves the caller's requests; its failures count for
   *     the session's fate
   */
  public <T> CompletionStage<T> use(
      UpstreamCaller caller,
      UpstreamServer server,
      BiFunction<PooledSession, Authorizer, CompletionStage<T>> work) {
    return useOnce(caller, server, work)
        .exceptionallyCompose(
            failure ->
                Causes.of(failure) instanceof NotSharedException
                    ? useOnce(caller, server, work)
                    : CompletableFuture.failedStage(failure));
  }

  private <T> CompletionStage<T> useOnce(
      UpstreamCaller caller,
      UpstreamServer server,
      BiFunction<PooledSession, Authorizer, CompletionStage<T>> work) {
    CircuitBreaker breaker = breakers.of(caller.requester().user(), server.name());
    PooledSession session;
    Authorizer authorizer;
    try {
      breaker.pass(server.name(), nanoTime.getAsLong());
    } catch (UpstreamException e) {
      return CompletableFuture.failedStage(e);
    }
    try {
      authorizer = credentials.authorizer(caller, server);
      session = enter(caller, server, authorizer);
    } catch (RuntimeException e) {
      breaker.ended(e, nanoTime.getAsLong());
      return CompletableFuture.failedStage(e);
    }
    return session
        .connected
        .thenCompose(connection -> work.apply(session, authorizer))
        .whenComplete(
            (result, failure) -> {
              breaker.ended(failure, nanoTime.getAsLong());
              leave(session, failure);
            });
  }

  private PooledSession enter(UpstreamCaller caller, UpstreamServer server, Authorizer authorizer) {
    UserId user = caller.requester().user();
    UpstreamKey own =
        new UpstreamKey(user, caller.owner(), server.name(), credentials.version(user, server));
    List<PooledSession> ending = new ArrayList<>();
    boolean open = false;
    PooledSession session;
    long now = nanoTime.getAsLong();
    try {
      synchronized (lock) {
        if (closed) {
          throw new UpstreamException(Kind.UNAVAILABLE, "the server is shutting down");
        }
        UpstreamKey key = server.stateless() || stateless.contains(server) ? own.shared() : own;
        PooledSession found = sessions.get(key);
        if (found != null && !found.server.equals(server)) {
          ending.add(sessions.remove(found));
          found = null;
        }
        if (found == null) {
          ending.addAll(sessions.makeRoom(key, limits.get()));
          found = new PooledSession(key, server, caller, now);
          sessions.put(found);
          open = true;
        }
        found.uses++;
        found.lastUsed = now;
        found.lastCaller = caller;
        session = found;
      }
    } finally {
      ending.forEach(this::end);
    }
    if (open) {
      open(session, authorizer);
    }
    return session;
  }

  /** Whoever waits for the session has to hear of whatever goes wrong, such as too many files. */
  private void open(PooledSession session, Authorizer authorizer) {
    CompletionStage<UpstreamConnection> opening;
    try {
      opening = connector.connect(session.server, authorizer, session::forgetTools);
    } catch (RuntimeException e) {
      opening = CompletableFuture.failedStage(e);
    }
    opening.whenComplete((connection, failure) -> opened(session, connection, failure));
  }

  private void opened(
      PooledSession session, @Nullable UpstreamConnection connection, @Nullable Throwable failure) {
    if (connection == null) {
      synchronized (lock) {
        sessions.remove(session);
      }
      session.connected.completeExceptionally(
          failure == null ? UpstreamException.transport("the session was not opened") : failure);
      return;
    }
    boolean notShared;
    boolean unwanted;
    synchronized (lock) {
      notShared =
          session.key.isShared() && !session.server.stateless() && !connection.isStateless();
      unwanted = session.retired || notShared;
      if (notShared) { // the server is another now than when it was found to keep nothing
        stateless.remove(session.server);
        sessions.remove(session);
      } else if (connection.isStateless() && !unwanted && !session.key.isShared()) {
        stateless.add(session.server);
        sessions.share(session);
      }
    }
    if (unwanted) {
      connection.close(authorizer(session));
      session.connected.completeExceptionally(
          notShared
              ? new NotSharedException()
              : new UpstreamException(Kind.SESSION_LOST, "the session was ended; call again"));
    } else {
      session.connected.complete(connection);
    }
  }

  private void leave(PooledSession session, @Nullable Throwable failure) {
    boolean lost =
        failure != null
            && Causes.of(failure) instanceof UpstreamException upstream
            && upstream.kind() == Kind.SESSION_LOST;
    boolean last;
    synchronized (lock) {
      session.uses--;
      session.lastUsed = nanoTime.getAsLong();
      if (lost && sessions.isThere(session)) {
        sessions.remove(session);
      }
      last = session.retired && session.uses == 0;
    }
    if (last) {
      end(session);
    }
  }

  /** Ends what is idle, and what belongs to a declaration or to credentials that are gone. */
  public void tend() {
    long now = nanoTime.getAsLong();
    breakers.forgetQuiet(now);
    long idle = limits.get().idle().toNanos();
    endAll(session -> session.uses == 0 && now - session.lastUsed >= idle);
    Map<PooledSession, UpstreamKey> all = new HashMap<>();
    synchronized (lock) {
      sessions.all().forEach(session -> all.put(session, session.key));
    }
    List<UpstreamServer> declared = directory.servers();
    all.forEach(
        (session, key) -> {
          if (!declared.contains(session.server)
              || credentials.version(key.user(), session.server) != key.version()) {
            endAll(session::equals);
          }
        });
    synchronized (lock) {
      stateless.retainAll(declared);
    }
  }

  /** Ends the sessions that something of a user owned. */
  public void release(UserId user, String owner) {
    endAll(
        session ->
            !session.key.isShared()
                && session.key.user().equals(user)
                && session.key.owner().equals(owner));
  }

  /** Ends a user's sessions with a server at once, with the calls that run. */
  public int revoke(UserId user, ServerName server) {
    return endAll(session -> session.key.isOf(user, server));
  }

  /** Ends everybody's sessions with a server at once, with the calls that run. */
  public int revoke(ServerName server) {
    return endAll(session -> session.key.server().equals(server));
  }

  private int endAll(Predicate<PooledSession> which) {
    List<PooledSession> ending;
    synchronized (lock) {
      ending = sessions.all().stream().filter(which).toList();
      ending.forEach(sessions::remove);
    }
    ending.forEach(this::end);
    return ending.size();
  }

  /** Ends a session that is no more in the table; one that is still being opened ends itself. */
  private CompletionStage<Void> end(PooledSession session) {
    if (!session.connected.isDone() || session.connected.isCompletedExceptionally()) {
      return CompletableFuture.completedStage(null);
    }
    return session
        .connection()
        .close(authorizer(session))
        .exceptionally(
            failure -> {
              LOG.log(
                  System.Logger.Level.DEBUG,
                  "{0}: the server was not told of a session''s end",
                  session.server.name());
              return null;
            });
  }

  private Authorizer authorizer(PooledSession session) {
    UpstreamCaller caller;
    synchronized (lock) {
      caller = session.lastCaller;
    }
    return credentials.authorizer(caller, session.server);
  }

  /** Every session, for administrators. */
  public List<SessionView> sessions() {
    long now = nanoTime.getAsLong();
    synchronized (lock) {
      return sessions.all().stream().map(session -> view(session, now)).toList();
    }
  }

  /** To be called with the lock. */
  private static SessionView view(PooledSession session, long now) {
    boolean open = session.connected.isDone() && !session.connected.isCompletedExceptionally();
    return new SessionView(
        session.key.user(),
        session.key.owner(),
        session.key.server(),
        open ? session.connection().protocolVersion() : "",
        session.uses,
        Duration.ofNanos(Math.max(0, now - session.lastUsed)));
  }

  /** Ends every session, and waits for that a little. Idempotent. */
  @Override
  public void close() {
    List<PooledSession> ending;
    synchronized (lock) {
      closed = true;
      ending = sessions.all();
      ending.forEach(sessions::remove);
    }
    CompletableFuture<?>[] ended =
        ending.stream()
            .map(session -> end(session).toCompletableFuture())
            .toArray(CompletableFuture[]::new);
    try {
      CompletableFuture.allOf(ended).get(ENDING.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      LOG.log(
          System.Logger.Level.DEBUG, "not every upstream server was told of its session''s end");
    }
    connector.close();
  }
}
