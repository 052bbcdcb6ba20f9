package io.runstone.upstream.vault;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** A bounded map that forgets what was used least recently. Thread-safe. */
public final class Recent<K, V> {
  private final Object lock = new Object();

  @GuardedBy("lock") private final Map<K, V> values = new LinkedHashMap<>(16, 0.75f, true);

  private final int max;

  /** Creates a map of at most so many entries. */
  public Recent(int max) {
    this.max = max;
  }

  /** What is there. */
  public Optional<V> get(K key) {
    synchronized (lock) {
      return Optional.ofNullable(values.get(key));
    }
  }

  /** Puts something there. */
  public void put(K key, V value) {
    synchronized (lock) {
      values.put(key, value);
      if (values.size() > max) {
        values.remove(values.keySet().iterator().next());
      }
    }
  }

  /** Takes away what is there, if it is still that. */
  public void remove(K key, V value) {
    synchronized (lock) {
      values.remove(key, value);
    }
  }

  /** Takes away what is there. */
  public Optional<V> take(K key) {
    synchronized (lock) {
      return Optional.ofNullable(values.remove(key));
    }
  }
}
