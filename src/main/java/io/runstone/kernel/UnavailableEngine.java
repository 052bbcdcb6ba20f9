package io.runstone.kernel;

import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * What stands in when this machine can't run code safely: it refuses, and says what to do.
 * Immutable.
 *
 * @param status why, and the cure
 */
public record UnavailableEngine(EngineStatus status) implements KernelEngine {

  @Override
  public CompletionStage<Kernel> launch(Path workspace) {
    String cure = status.cure().map(sentence -> " " + sentence).orElse("");
    return CompletableFuture.failedStage(
        new KernelException("no code can be run: " + status.detail() + cure));
  }

  @Override
  public void close() {}
}
