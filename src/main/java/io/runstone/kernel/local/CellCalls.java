package io.runstone.kernel.local;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.runstone.kernel.Cancellation;
import io.runstone.kernel.HostCall;
import io.runstone.kernel.HostCalls;
import io.runstone.kernel.HostReply;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The calls that one cell has made to its host and that were not answered yet. The reader thread
 * brings them, whoever answers them completes them, and the session's thread ends what is left.
 * Thread-safe; nobody is called under its lock.
 *
 * <p>INVARIANT: a call is answered at most once, and only while it is in the map.
 */
final class CellCalls {
  private static final System.Logger LOG = System.getLogger(CellCalls.class.getName());

  /** What calls under way may take of the memory, together; one alone may be larger. */
  static final long MAX_CHARACTERS = 32L * 1024 * 1024;

  /** What a call takes beside its body, about. */
  private static final int OVERHEAD = 500;

  /**
   * Above what an upstream may answer, even if all of it has to be escaped; in a frame each
   * character takes 3 bytes at most, and a supervisor takes no frame above 64 MiB.
   */
  private static final int MAX_ANSWER = 20 * 1024 * 1024;

  private record Outstanding(Cancellation cancellation, int size) {}

  /** Takes answers; returns at once. */
  interface Answers {
    void answer(long call, HostReply reply);
  }

  private final HostCalls host;
  private final Answers answers;
  private final Object lock = new Object();

  @GuardedBy("lock") private final Map<Long, Outstanding> outstanding = new HashMap<>();

  @GuardedBy("lock") private long characters;

  /** Why no more calls are taken; null while they are. */
  @GuardedBy("lock") private @Nullable String ended;

  CellCalls(HostCalls host, Answers answers) {
    this.host = host;
    this.answers = answers;
  }

  /** Takes a call. One whose number is under way is forged, and left alone. */
  void begin(KernelMessage.HostCalled message) {
    long number = message.call();
    Outstanding entry =
        new Outstanding(new Cancellation(), Math.addExact(message.body().length(), OVERHEAD));
    HostReply refusal = null;
    synchronized (lock) {
      if (ended != null) {
        refusal = cancelled(ended);
      } else if (characters > 0 && characters + entry.size() > MAX_CHARACTERS) {
        refusal =
            new HostReply.Refusal(
                "limit",
                "the calls that wait have too large arguments; wait for some before making more");
      } else if (outstanding.putIfAbsent(number, entry) != null) {
        return;
      } else {
        characters += entry.size();
      }
    }
    if (refusal != null) {
      answers.answer(number, refusal);
      return;
    }
    ask(new HostCall(message.method(), message.body(), entry.cancellation()))
        .whenComplete((reply, failure) -> finish(number, entry, bounded(reply, failure)));
  }

  private CompletionStage<HostReply> ask(HostCall call) {
    try {
      return host.call(call);
    } catch (RuntimeException e) {
      return CompletableFuture.failedStage(e);
    }
  }

  private static HostReply bounded(@Nullable HostReply reply, @Nullable Throwable failure) {
    if (reply == null) {
      LOG.log(System.Logger.Level.ERROR, "a call from a kernel failed", failure);
      return new HostReply.Refusal("unavailable", "internal error; the server's log says more");
    } else if (reply instanceof HostReply.Answer answer && answer.json().length() > MAX_ANSWER) {
      return new HostReply.Refusal("too_large", "the answer is larger than the server takes");
    }
    return reply;
  }

  private void finish(long number, Outstanding entry, HostReply reply) {
    if (remove(number, entry)) {
      answers.answer(number, reply);
    }
  }

  private boolean remove(long number, Outstanding entry) {
    synchronized (lock) {
      if (!outstanding.remove(number, entry)) {
        return false;
      }
      characters -= entry.size();
      return true;
    }
  }

  /** Ends a call that its caller has given up. */
  void callOff(long number) {
    Optional<Outstanding> entry;
    synchronized (lock) {
      entry = Optional.ofNullable(outstanding.get(number));
    }
    entry
        .filter(found -> remove(number, found))
        .ifPresent(found -> found.cancellation().cancel(", for its caller gave it up"));
  }

  /**
   * Ends all of them and takes no more; whoever waits is told.
   *
   * @param why the end of a sentence, as in {@link Cancellation#cancel}
   */
  void endAll(String why) {
    Map<Long, Outstanding> left;
    synchronized (lock) {
      if (ended != null) {
        return;
      }
      ended = why;
      left = Map.copyOf(outstanding);
      outstanding.clear();
      characters = 0;
    }
    left.forEach(
        (number, entry) -> {
          entry.cancellation().cancel(why);
          answers.answer(number, cancelled(why));
        });
  }

  private static HostReply cancelled(String why) {
    return new HostReply.Refusal("cancelled", "the call was cancelled" + why);
  }
}
