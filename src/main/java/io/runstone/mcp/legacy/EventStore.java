package io.runstone.mcp.legacy;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What was sent on streams whose clients may come back, as long as there is room; of all streams
 * together the oldest goes first. Thread-safe.
 */
final class EventStore {
  /** What an event costs beside its text, about. */
  private static final int OVERHEAD = 200;

  private record Key(EventStream stream, long number) {}

  private final long maxChars;
  private final Object lock = new Object();

  @GuardedBy("lock") private final Set<Key> oldestFirst = new LinkedHashSet<>();

  @GuardedBy("lock") private final Map<EventStream, TreeMap<Long, String>> byStream = new HashMap<>();

  @GuardedBy("lock") private long chars;

  EventStore(long maxChars) {
    this.maxChars = maxChars;
  }

  /** Keeps an event; it may be gone at once if it is larger than the room. */
  void add(EventStream stream, long number, String frame) {
    synchronized (lock) {
      byStream.computeIfAbsent(stream, key -> new TreeMap<>()).put(number, frame);
      oldestFirst.add(new Key(stream, number));
      chars += frame.length() + OVERHEAD;
      Iterator<Key> oldest = oldestFirst.iterator();
      while (chars > maxChars && oldest.hasNext()) {
        Key key = oldest.next();
        oldest.remove();
        drop(key);
      }
    }
  }

  @GuardedBy("lock") private void drop(Key key) {
    TreeMap<Long, String> events = byStream.get(key.stream());
    String frame = events == null ? null : events.remove(key.number());
    if (events != null && frame != null) {
      chars -= frame.length() + OVERHEAD;
      if (events.isEmpty()) {
        byStream.remove(key.stream());
      }
    }
  }

  /** The events of a stream after that number, as far as they are kept. */
  List<String> after(EventStream stream, long number) {
    synchronized (lock) {
      TreeMap<Long, String> events = byStream.get(stream);
      return events == null ? List.of() : new ArrayList<>(events.tailMap(number, false).values());
    }
  }

  /** Drops the events of a stream. */
  void forget(EventStream stream) {
    synchronized (lock) {
      TreeMap<Long, String> events = byStream.remove(stream);
      if (events != null) {
        events.forEach(
            (number, frame) -> {
              oldestFirst.remove(new Key(stream, number));
              chars -= frame.length() + OVERHEAD;
            });
      }
    }
  }

  /** How much is kept, in characters. */
  long size() {
    synchronized (lock) {
      return chars;
    }
  }
}
