package io.runstone.upstream.oauth;

import io.runstone.upstream.vault.Recent;
import io.runstone.upstream.vault.SealedStore;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * What users consented to: on disk encrypted, the most recently used in memory. Every change
 * happens on the store's thread, so a refresh that ends after a disconnect brings nothing back.
 * Thread-safe; nothing in it waits but {@link #has}, which asks the disk whether a file is there.
 */
public final class Grants {
  private static final System.Logger LOG = System.getLogger(Grants.class.getName());
  private static final int MAX_IN_MEMORY = 5000;

  private final SealedStore store;
  private final Consumer<GrantKey> changed;
  private final Recent<GrantKey, Grant> known = new Recent<>(MAX_IN_MEMORY);

  /** As many as there were changes of consent since the start. */
  private final Map<GrantKey, Long> versions = new ConcurrentHashMap<>();

  private final AtomicLong lastVersion = new AtomicLong();

  /**
   * Opens the store.
   *
   * @param changed hears whenever a user's standing with a server changed; returns at once
   */
  public Grants(SealedStore store, Consumer<GrantKey> changed) {
    this.store = store;
    this.changed = changed;
  }

  /** Another number after each change of consent. */
  public long version(GrantKey key) {
    return versions.getOrDefault(key, 0L);
  }

  /** What is in memory. */
  public Optional<Grant> inMemory(GrantKey key) {
    return known.get(key);
  }

  /** Whether there is one, which may turn out not to be readable. */
  public boolean has(GrantKey key) {
    return known.get(key).isPresent() || store.files().has(key.words());
  }

  /** What the user consented to, if anything. */
  public CompletionStage<Optional<Grant>> find(GrantKey key) {
    Optional<Grant> grant = known.get(key);
    return grant.isPresent() ? CompletableFuture.completedStage(grant) : store.run(() -> load(key));
  }

  /** Fails with an {@code UnusableSecretException} if nothing can be kept. */
  CompletionStage<Void> check() {
    return store.check();
  }

  /** Keeps what the user consented to just now, in place of anything else. */
  CompletionStage<Void> put(GrantKey key, Grant grant) {
    return store.run(
        () -> {
          store.writeNow(key.words(), grant.toJson());
          known.put(key, grant);
          change(key);
          return null;
        });
  }

  /** Keeps new tokens of the same consent; false if it is not the same any more. */
  CompletionStage<Boolean> replace(GrantKey key, Grant old, Grant now) {
    return store.run(
        () -> {
          if (!load(key).equals(Optional.of(old))) {
            return false;
          }
          known.put(key, now);
          try {
            store.writeNow(key.words(), now.toJson());
          } catch (
              RuntimeException e) { // good until the server ends, and then consent is asked for
            LOG.log(System.Logger.Level.ERROR, "refreshed tokens of a user can''t be written", e);
          }
          return true;
        });
  }

  /** Forgets it. */
  CompletionStage<Optional<Grant>> remove(GrantKey key) {
    return store.run(
        () -> {
          Optional<Grant> grant = load(key);
          forget(key);
          return grant;
        });
  }

  /** Forgets it, if it is still that one. */
  CompletionStage<Void> remove(GrantKey key, Grant old) {
    return store.run(
        () -> {
          if (load(key).equals(Optional.of(old))) {
            forget(key);
          }
          return null;
        });
  }

  private void forget(GrantKey key) {
    known.take(key);
    store.files().delete(key.words());
    change(key);
  }

  private void change(GrantKey key) {
    versions.put(key, lastVersion.incrementAndGet());
    changed.accept(key);
  }

  /** On the store's thread. */
  private Optional<Grant> load(GrantKey key) {
    Optional<Grant> grant = known.get(key);
    if (grant.isPresent()) {
      return grant;
    }
    Optional<Grant> read = store.readNow(key.words()).flatMap(Grants::parsed);
    read.ifPresent(one -> known.put(key, one));
    return read;
  }

  private static Optional<Grant> parsed(String json) {
    try {
      return Optional.of(Grant.of(json));
    } catch (RuntimeException e) { // without its text, which may be of anything
      LOG.log(System.Logger.Level.WARNING, "kept tokens of a user can''t be understood");
      return Optional.empty();
    }
  }
}
