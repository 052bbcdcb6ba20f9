package io.runstone.kernel;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * How those who asked for an execution say that they don't want it any more, wherever it is by
 * then: waiting, starting or running. Thread-safe.
 */
public final class Cancellation {
  private final CompletableFuture<String> reason = new CompletableFuture<>();

  /**
   * Cancels; a second time nothing happens.
   *
   * @param why the end of a sentence, as in {@link Outcome.Interrupted}
   */
  public void cancel(String why) {
    reason.complete(why);
  }

  /** Whether it was cancelled. */
  public boolean isCancelled() {
    return reason.isDone();
  }

  /**
   * Calls an action with the reason once it is cancelled, on the thread that does so; at once when
   * it was before. The action must return at once.
   */
  public void onCancel(Consumer<String> action) {
    reason.thenAccept(action);
  }
}
