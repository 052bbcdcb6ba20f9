package io.runstone.upstream.oauth;

import io.runstone.concurrent.Causes;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Does the same thing once at a time: whoever wants it while it is under way gets what comes of it.
 * Thread-safe; nothing in it waits.
 */
public final class SingleFlight<K, V> {
  private final Map<K, CompletableFuture<V>> underWay = new ConcurrentHashMap<>();

  /** Begins the work, unless it is under way. */
  public CompletionStage<V> run(K key, Supplier<CompletionStage<V>> work) {
    CompletableFuture<V> mine = new CompletableFuture<>();
    CompletableFuture<V> other = underWay.putIfAbsent(key, mine);
    if (other != null) {
      return other.copy();
    }
    CompletionStage<V> begun;
    try {
      begun = work.get();
    } catch (RuntimeException e) {
      begun = CompletableFuture.failedStage(e);
    }
    begun.whenComplete(
        (value, trouble) -> {
          underWay.remove(key, mine);
          if (trouble == null) {
            mine.complete(value);
          } else {
            mine.completeExceptionally(Causes.of(trouble));
          }
        });
    return mine.copy();
  }
}
