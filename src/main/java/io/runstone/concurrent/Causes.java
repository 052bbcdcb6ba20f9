package io.runstone.concurrent;

import java.util.concurrent.CompletionException;

/** What a stage failed with. Pure. */
public final class Causes {
  private Causes() {}

  /** The failure itself, without what a stage that depends on the failed one wraps it in. */
  public static Throwable of(Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : null;
    return cause == null ? failure : cause;
  }
}
