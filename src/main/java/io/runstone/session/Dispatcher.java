package io.runstone.session;

import io.runstone.kernel.ExecutionResult;
import io.runstone.kernel.SessionState;
import io.runstone.security.UserId;
import io.runstone.session.SessionException.Category;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/**
 * Brings a cell into the session it is meant for, which may have to be begun first. Thread-safe;
 * nothing waits.
 */
final class Dispatcher {
  private final SessionRegistry registry;

  Dispatcher(SessionRegistry registry) {
    this.registry = registry;
  }

  /** Runs a cell; fails with a {@link SessionException} when none of it ran. */
  CompletionStage<ExecutionResult> execute(UserId user, ExecutionTarget target, Submission cell) {
    try {
      return run(user, target, cell);
    } catch (SessionException e) {
      return CompletableFuture.failedStage(e);
    }
  }

  private CompletionStage<ExecutionResult> run(
      UserId user, ExecutionTarget target, Submission cell) {
    if (target instanceof ExecutionTarget.Named named) {
      return registry.active(new SessionKey.Named(user, named.id())).execute(cell);
    } else if (target instanceof ExecutionTarget.Implicit implicit) {
      return executeImplicit(new SessionKey.Implicit(user, implicit.mcpSessionId()), cell);
    }
    return executeOnce(new SessionKey.OneShot(user, UUID.randomUUID()), cell);
  }

  private CompletionStage<ExecutionResult> executeImplicit(SessionKey key, Submission cell) {
    Optional<PythonSession> known = registry.find(key);
    if (known.isPresent()) {
      return known.orElseThrow().execute(cell);
    } else if (registry.wasLost(key)) {
      return CompletableFuture.completedStage(NotRun.lost(cell.request().id()));
    }
    return registry
        .begin(key)
        .thenApply(SessionRegistry.Begun::session)
        .exceptionally(failure -> byNow(key, failure))
        .thenCompose(session -> session.execute(cell));
  }

  /** Another call of the same MCP session may have begun the session at the same time. */
  private PythonSession byNow(SessionKey key, Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    if (cause instanceof SessionException e) {
      if (e.category() == Category.TAKEN) {
        return registry.find(key).orElseThrow(() -> e);
      }
      throw e;
    }
    throw new IllegalStateException(failure);
  }

  private CompletionStage<ExecutionResult> executeOnce(SessionKey key, Submission cell) {
    return registry
        .begin(key)
        .thenCompose(
            begun ->
                begun
                    .started()
                    .thenCompose(info -> begun.session().execute(cell))
                    .thenApply(result -> result.withState(SessionState.NONE))
                    .whenComplete(
                        (result, failure) -> registry.end(begun.session(), StopReason.REQUESTED)));
  }
}
