package io.runstone.kernel;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A host whose answers are chosen by a call's body: {@code hold…} waits for the test, {@code big N}
 * is answered with so many characters, {@code held N} once so many are held, and others with
 * themselves.
 */
public final class FakeHost implements HostCalls {
  /** A call that waits for the test. */
  public record Held(HostCall call, CompletableFuture<HostReply> reply) {
    /** Answers with the call's own text. */
    public void answer() {
      reply.complete(new HostReply.Answer(call.body()));
    }
  }

  private record Counting(int wanted, CompletableFuture<HostReply> reply) {}

  /** The calls that wait, in their order. */
  public final List<Held> held = new CopyOnWriteArrayList<>();

  private final List<Counting> counting = new CopyOnWriteArrayList<>();
  private volatile Runnable onHeld = () -> {};

  /** Calls an action when so many calls are held, on the thread that reads from the kernel. */
  public void whenHeld(int wanted, Runnable action) {
    onHeld =
        () -> {
          if (held.size() == wanted) {
            action.run();
          }
        };
  }

  @Override
  public CompletionStage<HostReply> call(HostCall call) {
    String body = call.body();
    CompletableFuture<HostReply> reply = new CompletableFuture<>();
    if (body.startsWith("hold")) {
      held.add(new Held(call, reply));
      onHeld.run();
      counting.stream().filter(c -> held.size() >= c.wanted()).forEach(c -> answer(c.reply()));
    } else if (body.startsWith("held")) {
      Counting waiting = new Counting(Integer.parseInt(body.substring(5)), reply);
      counting.add(waiting);
      if (held.size() >= waiting.wanted()) {
        answer(reply);
      }
    } else if (body.startsWith("big")) {
      reply.complete(new HostReply.Answer("\"".repeat(Integer.parseInt(body.substring(4)))));
    } else if (body.equals("fail")) {
      throw new IllegalStateException("this host is broken, as the test wants");
    } else {
      reply.complete(new HostReply.Answer(body));
    }
    return reply;
  }

  private static void answer(CompletableFuture<HostReply> reply) {
    reply.complete(new HostReply.Answer("enough"));
  }
}
