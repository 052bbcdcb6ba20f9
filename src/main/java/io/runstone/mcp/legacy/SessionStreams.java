package io.runstone.mcp.legacy;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.runstone.http.ResponseStream;
import io.runstone.mcp.legacy.EventStream.Resumption;
import io.runstone.mcp.wire.EventId;
import io.runstone.mcp.wire.RpcException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;

/**
 * The streams of one MCP session: those that answer its calls, and those its client opened to
 * listen. Of the latter there may be several, and a message goes to one of them only, MCP
 * 2025-11-25, "Multiple Connections". Thread-safe.
 */
final class SessionStreams {
  /** How many streams whose calls are over are kept for clients that missed their end. */
  private static final int MAX_KEPT = 64;

  private static final int MAX_LISTENERS = 16;

  /**
   * What all sessions have in common.
   *
   * @param window how long a client may take to come back before its call is cancelled
   */
  record Terms(EventStore store, Duration window, ScheduledExecutorService timer) {}

  private final Terms terms;
  private final Resumption resumption;
  private final Consumer<Boolean> onListening;
  private final Object lock = new Object();

  @GuardedBy("lock") private final Map<Long, EventStream> resumable = new LinkedHashMap<>();

  /** The newest is the last. */
  @GuardedBy("lock") private final List<EventStream> listeners = new ArrayList<>();

  @GuardedBy("lock") private long opened;

  @GuardedBy("lock") private boolean closed;

  /**
   * Creates the streams of a session.
   *
   * @param primed whether streams begin with an event that tells their id
   * @param onListening hears whether somebody listens, whenever that may have changed
   */
  SessionStreams(Terms terms, boolean primed, Consumer<Boolean> onListening) {
    this.terms = terms;
    this.resumption = new Resumption(true, primed, terms.window());
    this.onListening = onListening;
  }

  /** A stream for a call that takes no time, so that nobody would come back for it. */
  EventStream plain(Runnable onLost) {
    synchronized (lock) {
      return new EventStream(++opened, terms.store(), Resumption.NONE, terms.timer(), onLost);
    }
  }

  /** A stream that its client may come back to. */
  EventStream resumable(Runnable onLost) {
    List<EventStream> forgotten = new ArrayList<>();
    EventStream stream;
    synchronized (lock) {
      stream = new EventStream(++opened, terms.store(), resumption, terms.timer(), onLost);
      resumable.put(stream.id(), stream);
      Iterator<EventStream> oldest = resumable.values().iterator();
      for (int excess = resumable.size() - MAX_KEPT; excess > 0 && oldest.hasNext(); ) {
        EventStream old = oldest.next();
        if (old.isEnded()) {
          oldest.remove();
          forgotten.add(old);
          excess--;
        }
      }
    }
    forgotten.forEach(terms.store()::forget);
    return stream;
  }

  /**
   * Opens a stream to listen on.
   *
   * @throws RpcException if there are too many
   */
  EventStream listener() throws RpcException {
    synchronized (lock) {
      if (closed || listeners.size() >= MAX_LISTENERS) {
        throw new RpcException(
            409, RpcException.INVALID_REQUEST, "this MCP session has too many open streams");
      }
    }
    EventStream[] self = new EventStream[1];
    EventStream stream = resumable(() -> unlisten(self));
    self[0] = stream;
    synchronized (lock) {
      listeners.add(stream);
    }
    onListening.accept(true);
    return stream;
  }

  private void unlisten(EventStream[] self) {
    boolean left;
    synchronized (lock) {
      listeners.remove(self[0]);
      resumable.remove(self[0].id());
      left = !listeners.isEmpty();
    }
    self[0].abandon();
    onListening.accept(left);
  }

  /** Sends to the newest listener that is connected, or else keeps it for the newest. */
  void sendToListener(String json) {
    Optional<EventStream> chosen;
    synchronized (lock) {
      chosen =
          listeners.stream()
              .filter(EventStream::isConnected)
              .reduce((first, second) -> second)
              .or(() -> listeners.stream().reduce((first, second) -> second));
    }
    chosen.ifPresent(stream -> stream.send(json));
  }

  /**
   * Finds the stream that goes on after the last event that its client got.
   *
   * @return gives the stream its new connection
   * @throws RpcException when it is not known, or not any more
   */
  Consumer<ResponseStream> resumption(String lastEventId) throws RpcException {
    Optional<EventId> last = EventId.parse(lastEventId);
    Optional<EventStream> stream;
    synchronized (lock) {
      stream = last.map(EventId::stream).map(resumable::get);
    }
    if (stream.isEmpty() || !stream.orElseThrow().goesOnAfter(last.orElseThrow().number())) {
      throw new RpcException(
          400,
          RpcException.INVALID_REQUEST,
          "nothing of what came after this Last-Event-ID is kept; open a stream without it");
    }
    long number = last.orElseThrow().number();
    return connection -> stream.orElseThrow().attach(connection, number);
  }

  boolean isListenedTo() {
    synchronized (lock) {
      return listeners.stream().anyMatch(EventStream::isConnected);
    }
  }

  /** Ends those that listen; calls still answer, but can't be resumed. */
  void close() {
    List<EventStream> all;
    List<EventStream> listening;
    synchronized (lock) {
      closed = true;
      listening = List.copyOf(listeners);
      listeners.clear();
      all = List.copyOf(resumable.values());
      resumable.clear();
    }
    listening.forEach(EventStream::end);
    all.forEach(EventStream::forgetClient);
  }
}
