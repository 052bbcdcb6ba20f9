package io.runstone.upstream.broker;

import static io.runstone.upstream.FakeNetwork.ANNA;
import static io.runstone.upstream.FakeNetwork.call;
import static io.runstone.upstream.FakeNetwork.caller;
import static io.runstone.upstream.FakeNetwork.server;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.runstone.kernel.Cancellation;
import io.runstone.security.Requester;
import io.runstone.security.Scope;
import io.runstone.security.audit.AuditEvent;
import io.runstone.security.audit.AuditLog;
import io.runstone.security.audit.AuditState;
import io.runstone.upstream.Credentials;
import io.runstone.upstream.FakeNetwork;
import io.runstone.upstream.ServerName;
import io.runstone.upstream.UpstreamCaller;
import io.runstone.upstream.UpstreamException;
import io.runstone.upstream.UpstreamException.Kind;
import io.runstone.upstream.UpstreamServer;
import io.runstone.upstream.UpstreamServer.ToolFilter;
import io.runstone.upstream.UpstreamTool;
import io.runstone.upstream.pool.PoolLimits;
import io.runstone.upstream.pool.UpstreamSessionPool;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class UpstreamBrokerTest {
  private static final UpstreamServer CRM = server("crm");

  private final FakeNetwork network = new FakeNetwork();
  private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);
  private final Recording audit = new Recording();
  private volatile List<UpstreamServer> declared = List.of(CRM, server("mail"));
  private final UpstreamBroker broker =
      new UpstreamBroker(
          () -> declared,
          Credentials.NONE,
          new UpstreamSessionPool(
              network,
              Credentials.NONE,
              () -> declared,
              () -> new PoolLimits(10, 10, 10, Duration.ofMinutes(1)),
              System::nanoTime),
          audit,
          Clock.systemUTC(),
          timer);
  private final UpstreamCaller anna = caller(ANNA, "session");

  private static final class Recording implements AuditLog {
    final List<AuditEvent> events = new CopyOnWriteArrayList<>();

    @Override
    public void record(AuditEvent event) {
      events.add(event);
    }

    @Override
    public CompletionStage<Void> recordBefore(AuditEvent event) {
      throw new AssertionError("calls are recorded when they end");
    }

    @Override
    public void recordEnd(AuditEvent event) {
      throw new AssertionError("calls are recorded when they end");
    }

    @Override
    public AuditState state() {
      return AuditState.OK;
    }

    @Override
    public void close() {}
  }

  @AfterEach
  void end() {
    timer.shutdownNow();
  }

  private static <T> T now(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }

  private static @Nullable Kind failure(CompletionStage<?> stage) {
    CompletionException failure = catchThrowableOfType(CompletionException.class, () -> now(stage));
    return failure.getCause() instanceof UpstreamException upstream ? upstream.kind() : null;
  }

  @Test
  void callsAndRecordsIt() {
    assertThat(now(broker.call(anna, call("crm"))).json()).containsEntry("count", 1);
    assertThat(audit.events)
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.action()).isEqualTo(AuditEvent.Action.CALL);
              assertThat(event.subject().tool()).isEqualTo("crm/count");
              assertThat(event.subject().session()).isEqualTo("session");
              assertThat(event.result().outcome()).isEqualTo("ok");
              assertThat(event.result().bytes()).hasValue(10);
            });
  }

  @Test
  void showsAndCallsOnlyWhatTheRequesterMayUse() {
    UpstreamCaller limited =
        new UpstreamCaller(
            new Requester(ANNA, Set.of(Scope.EXECUTE), "", "", Set.of("mail"), Optional.empty()),
            "session");
    assertThat(broker.servers(limited.requester()))
        .extracting(summary -> summary.name().value())
        .containsExactly("mail");
    assertThat(failure(broker.call(limited, call("crm")))).isEqualTo(Kind.FORBIDDEN);
    assertThat(failure(broker.tools(limited, new ServerName("crm")))).isEqualTo(Kind.FORBIDDEN);
    assertThat(now(broker.search(limited, "count", 10)).tools()).hasSize(1);
    assertThat(now(broker.call(limited, call("mail"))).json()).containsEntry("count", 1);
    assertThat(audit.events).hasSize(2);
    assertThat(network.calls).hasValue(1);
  }

  @Test
  void toolsThatAreNotAllowedAreNotThere() {
    declared =
        List.of(
            new UpstreamServer(
                CRM.name(),
                CRM.url(),
                "crm",
                "",
                CRM.login(),
                false,
                new ToolFilter(Set.of(), Set.of("count")),
                CRM.timeout(),
                Optional.empty()));
    assertThat(now(broker.tools(anna, CRM.name())))
        .extracting(UpstreamTool::name)
        .containsExactly("add");
    assertThat(failure(broker.call(anna, call("crm")))).isEqualTo(Kind.FORBIDDEN);
    assertThat(network.calls).hasValue(0);
  }

  @Test
  void unknownServersAreUnknown() {
    assertThat(failure(broker.call(anna, call("nope")))).isEqualTo(Kind.UNKNOWN);
    assertThat(failure(broker.tools(anna, new ServerName("nope")))).isEqualTo(Kind.UNKNOWN);
  }

  @Test
  void searchesEveryServerAndNamesThoseThatCantBeAsked() {
    network.connectFailures.add(UpstreamException.transport("down"));
    var matches = now(broker.search(anna, "counts", 10));
    assertThat(matches.tools()).hasSize(1);
    assertThat(matches.unreachable()).singleElement().extracting("server").isEqualTo(CRM.name());
  }

  @Test
  void findsToTheSameEndInOneServerWhichHasToAnswer() {
    assertThat(now(broker.search(anna, CRM.name(), "no such thing but counts", 10)).tools())
        .extracting(UpstreamTool::name)
        .containsExactly("count");
    assertThat(now(broker.search(anna, CRM.name(), "", 1)).tools()).hasSize(1);
    assertThat(failure(broker.search(anna, new ServerName("nope"), "", 1))).isEqualTo(Kind.UNKNOWN);
  }

  @Test
  void repeatsOnlyWhatDoesNoHarm() {
    now(broker.call(anna, call("crm")));
    network.callFailures.add(new UpstreamException(Kind.SESSION_LOST, "gone"));
    assertThat(failure(broker.call(anna, call("crm")))).isEqualTo(Kind.SESSION_LOST);

    network.idempotent = true;
    now(broker.tools(anna, CRM.name()));
    network.callFailures.add(UpstreamException.transport("closed"));
    int before = network.calls.get();
    assertThat(now(broker.call(anna, call("crm"))).json()).containsEntry("count", 1);
    assertThat(network.calls.get() - before).isEqualTo(2);
  }

  @Test
  void neverRepeatsMoreThanOnce() {
    network.idempotent = true;
    now(broker.tools(anna, CRM.name()));
    for (int i = 0; i < 3; i++) {
      network.callFailures.add(UpstreamException.transport("closed"));
    }
    assertThat(failure(broker.call(anna, call("crm")))).isEqualTo(Kind.UNAVAILABLE);
    assertThat(network.calls).hasValue(2);
  }

  @Test
  void cancellingEndsTheWaitAndSendsNothingLater() {
    network.gate = new CompletableFuture<>();
    Cancellation cancellation = new Cancellation();
    CompletionStage<?> waiting = broker.call(anna, call("crm", "count", cancellation));
    cancellation.cancel(", for its cell ended");
    assertThat(failure(waiting)).isEqualTo(Kind.CANCELLED);
    network.gate.complete(null);
    assertThat(network.calls).hasValue(0);
  }

  @Test
  void openingTakesNoLongerThanTheCallMay() {
    network.gate = new CompletableFuture<>();
    var slow =
        new io.runstone.upstream.UpstreamCall(
            CRM.name(),
            "count",
            java.util.Map.of(),
            Optional.of(Duration.ofMillis(20)),
            new Cancellation(),
            text -> {});
    assertThatThrownBy(() -> now(broker.call(anna, slow)))
        .hasMessageContaining("did not answer within 0.02 s");
  }
}
