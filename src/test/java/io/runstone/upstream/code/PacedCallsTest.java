package io.runstone.upstream.code;

import static org.assertj.core.api.Assertions.assertThat;

import io.runstone.kernel.Cancellation;
import io.runstone.kernel.HostCall;
import io.runstone.kernel.HostCalls;
import io.runstone.kernel.HostMethod;
import io.runstone.kernel.HostReply;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class PacedCallsTest {
  private final List<String> begun = new ArrayList<>();
  private final List<CompletableFuture<HostReply>> replies = new ArrayList<>();
  private final HostCalls target =
      call -> {
        begun.add(call.body());
        CompletableFuture<HostReply> reply = new CompletableFuture<>();
        replies.add(reply);
        return reply;
      };

  private static HostCall call(String body, Cancellation cancellation) {
    return new HostCall(HostMethod.CALL, body, cancellation);
  }

  private static HostCall call(String body) {
    return call(body, new Cancellation());
  }

  @Test
  void onlySoManyRunAndTheOthersFollowInTheirOrder() {
    PacedCalls calls = new PacedCalls(target, 100, 2);
    for (String body : List.of("a", "b", "c", "d")) {
      calls.call(call(body));
    }
    assertThat(begun).containsExactly("a", "b");
    replies.get(1).complete(new HostReply.Answer("1"));
    assertThat(begun).containsExactly("a", "b", "c");
    replies.get(0).completeExceptionally(new IllegalStateException());
    assertThat(begun).containsExactly("a", "b", "c", "d");
  }

  @Test
  void whatIsCalledOffWhileItWaitsDoesNotBegin() {
    PacedCalls calls = new PacedCalls(target, 100, 1);
    calls.call(call("a"));
    Cancellation cancellation = new Cancellation();
    CompletionStage<HostReply> waiting = calls.call(call("b", cancellation));
    calls.call(call("c"));
    cancellation.cancel("");
    assertThat(waiting.toCompletableFuture().join()).isInstanceOf(HostReply.Refusal.class);
    replies.get(0).complete(new HostReply.Answer("1"));
    assertThat(begun).containsExactly("a", "c");
  }

  @Test
  void callsOfToolsAreCountedAndOthersAreNot() {
    PacedCalls calls = new PacedCalls(target, 1, 10);
    calls.call(call("a"));
    CompletionStage<HostReply> refused = calls.call(call("b"));
    assertThat(refused.toCompletableFuture().join())
        .isInstanceOfSatisfying(
            HostReply.Refusal.class,
            refusal -> {
              assertThat(refusal.kind()).isEqualTo("limit");
              assertThat(refusal.message()).contains("runstone.upstream.calls-per-execution");
            });
    calls.call(new HostCall(HostMethod.TOOLS, "t", new Cancellation()));
    assertThat(begun).containsExactly("a", "t");
  }

  @Test
  void aTargetThatFailsOrAnswersAtOnceKeepsNothingFromRunning() {
    List<HostReply> answers = new ArrayList<>();
    PacedCalls calls =
        new PacedCalls(
            call -> {
              if (call.body().equals("bad")) {
                throw new IllegalStateException("bad");
              }
              return CompletableFuture.completedStage(new HostReply.Answer(call.body()));
            },
            100_000,
            1);
    assertThat(calls.call(call("bad")).toCompletableFuture()).isCompletedExceptionally();
    for (int i = 0; i < 20_000; i++) {
      calls.call(call("x")).thenAccept(answers::add);
    }
    assertThat(answers).hasSize(20_000);
  }
}
