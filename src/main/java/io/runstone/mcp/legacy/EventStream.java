package io.runstone.mcp.legacy;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.runstone.http.ResponseStream;
import io.runstone.mcp.wire.EventId;
import io.runstone.mcp.wire.SseFrames;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A stream as the client knows it, whatever connection carries it at the moment.
 *
 * <p>Life: opened with a connection; each message gets a number and is kept; when the connection
 * breaks, the client may {@link #attach} another and gets what it missed; who doesn't come back in
 * time has gone, and {@code onLost} is told. A client can come back only if it was told an id, so
 * one that was not has gone at once. Thread-safe.
 *
 * <p>INVARIANT: messages are put into the store and into the connection's queue under the lock, so
 * that replaying and sending can't get out of order. Neither waits.
 */
final class EventStream {
  /** When a client comes back after a break, if it does as it is told. */
  static final Duration RETRY = Duration.ofMillis(200);

  /** How long a client may take that the server itself has sent away. */
  private static final Duration RETURN = Duration.ofSeconds(60);

  /** Whether and how a stream can be resumed. */
  record Resumption(boolean recorded, boolean primed, Duration window) {
    /** What ends with its connection. */
    static final Resumption NONE = new Resumption(false, false, Duration.ZERO);
  }

  private final long id;
  private final EventStore store;
  private final Resumption resumption;
  private final ScheduledExecutorService timer;
  private final Runnable onLost;
  private final Object lock = new Object();

  @GuardedBy("lock") private @Nullable ResponseStream connection;

  /** The number of the next event; 0 is the one that primes. */
  @GuardedBy("lock") private long next = 1;

  @GuardedBy("lock") private boolean clientKnowsAnId;

  @GuardedBy("lock") private boolean clientMayComeBack = true;

  @GuardedBy("lock") private boolean ended;

  @GuardedBy("lock") private Duration heartbeat = SseFrames.HEARTBEAT;

  EventStream(
      long id,
      EventStore store,
      Resumption resumption,
      ScheduledExecutorService timer,
      Runnable onLost) {
    this.id = id;
    this.store = store;
    this.resumption = resumption;
    this.timer = timer;
    this.onLost = onLost;
  }

  long id() {
    return id;
  }

  /** Sends a message, or keeps it for a client that comes back. */
  void send(String json) {
    synchronized (lock) {
      if (ended) {
        return;
      }
      EventId event = new EventId(id, next++);
      String frame = resumption.recorded() ? SseFrames.event(event, json) : SseFrames.event(json);
      if (resumption.recorded()) {
        store.add(this, event.number(), frame);
      }
      if (connection != null) {
        clientKnowsAnId = resumption.recorded();
        connection.write(frame);
      }
    }
  }

  /** Gives the stream its first connection. */
  void open(ResponseStream first) {
    synchronized (lock) {
      connection = first;
      first.keepAlive(SseFrames.COMMENT, heartbeat);
      if (resumption.primed()) {
        clientKnowsAnId = true;
        first.write(SseFrames.priming(new EventId(id, 0), RETRY));
      } else {
        first.write(SseFrames.COMMENT); // commits the response: some clients wait for its head
      }
    }
    first.whenEnded().thenRun(() -> detached(first, resumption.window()));
  }

  /** Whether there is, or will be, something after an event; not if it is gone by now. */
  boolean goesOnAfter(long number) {
    synchronized (lock) {
      return !ended || !store.after(this, number).isEmpty();
    }
  }

  /** Gives the stream another connection, which first gets what came after an event. */
  void attach(ResponseStream another, long after) {
    ResponseStream before;
    synchronized (lock) {
      before = connection;
      connection = another;
      another.keepAlive(SseFrames.COMMENT, heartbeat);
      another.write(SseFrames.COMMENT);
      store.after(this, after).forEach(another::write);
      if (ended) {
        another.close();
      }
    }
    if (before != null) {
      before.close();
    }
    another.whenEnded().thenRun(() -> detached(another, resumption.window()));
  }

  /** Looks for the client that often from now on. */
  void watch(Duration interval) {
    synchronized (lock) {
      heartbeat = interval;
      if (connection != null) {
        connection.keepAlive(SseFrames.COMMENT, interval);
      }
    }
  }

  private void detached(ResponseStream gone, Duration window) {
    Duration patience;
    synchronized (lock) {
      if (connection != gone) {
        return;
      }
      connection = null;
      patience = clientKnowsAnId && clientMayComeBack ? window : Duration.ZERO;
    }
    if (patience.isZero()) {
      loseUnlessConnected();
    } else {
      timer.schedule(this::loseUnlessConnected, patience.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  private void loseUnlessConnected() {
    synchronized (lock) {
      if (connection != null || ended) {
        return;
      }
    }
    onLost.run();
  }

  /** Sends the client away; it is expected back. */
  void disconnect() {
    ResponseStream current;
    synchronized (lock) {
      current = connection;
      connection = null;
    }
    if (current != null) {
      current.close();
      timer.schedule(this::loseUnlessConnected, RETURN.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  /** The client can't come back any more, so it has gone when its connection ends. */
  void forgetClient() {
    synchronized (lock) {
      clientMayComeBack = false;
    }
    store.forget(this);
  }

  /** Ends the stream; what was sent stays for a client that has missed it. */
  void end() {
    ResponseStream last;
    synchronized (lock) {
      ended = true;
      last = connection;
    }
    if (last != null) {
      last.close();
    }
  }

  /** Ends the stream, and forgets it: nobody is to hear of it any more. */
  void abandon() {
    end();
    store.forget(this);
  }

  boolean isEnded() {
    synchronized (lock) {
      return ended;
    }
  }

  boolean isConnected() {
    synchronized (lock) {
      return connection != null;
    }
  }
}
