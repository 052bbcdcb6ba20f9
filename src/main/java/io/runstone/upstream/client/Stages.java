package io.runstone.upstream.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** What stages owe to those who wait for them. Pure. */
final class Stages {
  private Stages() {}

  /** A stage that fails with the exception itself, which nothing is wrapped around. */
  static <T> CompletionStage<T> plain(CompletionStage<T> stage) {
    CompletableFuture<T> plain = new CompletableFuture<>();
    stage.whenComplete(
        (value, failure) -> {
          if (failure == null) {
            plain.complete(value);
          } else {
            plain.completeExceptionally(Failures.of(failure));
          }
        });
    return plain.minimalCompletionStage();
  }
}
