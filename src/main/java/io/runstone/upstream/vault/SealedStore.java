package io.runstone.upstream.vault;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;

/**
 * Encrypted files whose reads and writes nobody waits for. They happen one after the other on one
 * thread, in the order in which they were asked for, so none needs a lock. Thread-safe.
 */
public final class SealedStore {
  private final SealedFiles files;
  private final KeyRing keys;
  private final Executor executor;

  /**
   * Creates the store.
   *
   * @param executor runs one task at a time, in order
   */
  public SealedStore(Path directory, KeyRing keys, Executor executor) {
    this.files = new SealedFiles(directory, keys);
    this.keys = keys;
    this.executor = executor;
  }

  /** The files, for work that {@link #run} does. */
  public SealedFiles files() {
    return files;
  }

  /** Does something with the files when its turn comes. */
  public <T> CompletionStage<T> run(Supplier<T> work) {
    try {
      return CompletableFuture.supplyAsync(work, executor);
    } catch (RejectedExecutionException e) {
      return CompletableFuture.failedStage(e);
    }
  }

  /** Fails with an {@link UnusableSecretException} if nothing can be written. */
  public CompletionStage<Void> check() {
    return run(
        () -> {
          try {
            keys.check();
            return null;
          } catch (UnusableSecretException e) {
            throw new CompletionException(e);
          }
        });
  }

  /** What is under those words. */
  public CompletionStage<Optional<String>> read(List<String> words) {
    return run(() -> readNow(words));
  }

  /** The same, for work that {@link #run} does. */
  public Optional<String> readNow(List<String> words) {
    return files.read(words).map(bytes -> new String(bytes, StandardCharsets.UTF_8));
  }

  /** Puts something under those words; fails with an {@link UnusableSecretException}. */
  public CompletionStage<Void> write(List<String> words, String text) {
    return run(
        () -> {
          writeNow(words, text);
          return null;
        });
  }

  /** The same, for work that {@link #run} does. */
  public void writeNow(List<String> words, String text) {
    try {
      files.write(words, text.getBytes(StandardCharsets.UTF_8));
    } catch (UnusableSecretException e) {
      throw new CompletionException(e);
    }
  }

  /** Removes what is under those words. */
  public CompletionStage<Void> delete(List<String> words) {
    return run(
        () -> {
          files.delete(words);
          return null;
        });
  }
}
