package io.runstone.upstream.code;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.runstone.kernel.HostCall;
import io.runstone.kernel.HostCalls;
import io.runstone.kernel.HostMethod;
import io.runstone.kernel.HostReply;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The calls of one execution: so many at the same time, the others after them in their order, and
 * so many altogether. Thread-safe; nobody is called under its lock.
 */
final class PacedCalls implements HostCalls {
  /** A call and its reply; no record, for each is equal only to itself. */
  private static final class Waiting {
    private final HostCall call;
    private final CompletableFuture<HostReply> reply = new CompletableFuture<>();

    Waiting(HostCall call) {
      this.call = call;
    }
  }

  private final HostCalls target;
  private final int total;
  private final int parallel;
  private final Object lock = new Object();

  @GuardedBy("lock") private final Set<Waiting> waiting = new LinkedHashSet<>();

  @GuardedBy("lock") private int running;

  @GuardedBy("lock") private int made;

  /** A thread starts what waits; others leave that to it, so that no stack gets deep. */
  @GuardedBy("lock") private boolean starting;

  /**
   * Paces calls.
   *
   * @param total calls of tools there may be
   * @param parallel calls there may be at the same time
   */
  PacedCalls(HostCalls target, int total, int parallel) {
    this.target = target;
    this.total = total;
    this.parallel = parallel;
  }

  @Override
  public CompletionStage<HostReply> call(HostCall call) {
    Waiting entry = new Waiting(call);
    synchronized (lock) {
      if (call.method() == HostMethod.CALL && ++made > total) {
        made = total;
        return CompletableFuture.completedStage(
            new HostReply.Refusal(
                "limit",
                "one execution may make at most "
                    + total
                    + " calls (runstone.upstream.calls-per-execution); go on in another one"));
      }
      waiting.add(entry);
    }
    call.cancellation().onCancel(why -> giveUp(entry));
    start();
    return entry.reply;
  }

  private void giveUp(Waiting entry) {
    boolean waited;
    synchronized (lock) {
      waited = waiting.remove(entry);
    }
    if (waited) {
      entry.reply.complete(new HostReply.Refusal("cancelled", "the call was called off"));
    }
  }

  private void start() {
    synchronized (lock) {
      if (starting) {
        return;
      }
      starting = true;
    }
    for (Waiting next = next(); next != null; next = next()) {
      start(next);
    }
  }

  private @Nullable Waiting next() {
    synchronized (lock) {
      Iterator<Waiting> first = waiting.iterator();
      if (running >= parallel || !first.hasNext()) {
        starting = false;
        return null;
      }
      Waiting next = first.next();
      first.remove();
      running++;
      return next;
    }
  }

  private void start(Waiting entry) {
    ask(entry.call)
        .whenComplete(
            (reply, failure) -> {
              synchronized (lock) {
                running--;
              }
              if (failure == null) {
                entry.reply.complete(reply);
              } else {
                entry.reply.completeExceptionally(failure);
              }
              start();
            });
  }

  private CompletionStage<HostReply> ask(HostCall call) {
    try {
      return target.call(call);
    } catch (RuntimeException e) {
      return CompletableFuture.failedStage(e);
    }
  }
}
