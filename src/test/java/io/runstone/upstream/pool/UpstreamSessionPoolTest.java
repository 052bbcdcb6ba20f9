package io.runstone.upstream.pool;

import static io.runstone.upstream.FakeNetwork.ANNA;
import static io.runstone.upstream.FakeNetwork.BERT;
import static io.runstone.upstream.FakeNetwork.caller;
import static io.runstone.upstream.FakeNetwork.server;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.runstone.security.UserId;
import io.runstone.upstream.Authorizer;
import io.runstone.upstream.Credentials;
import io.runstone.upstream.FakeNetwork;
import io.runstone.upstream.UpstreamCaller;
import io.runstone.upstream.UpstreamException;
import io.runstone.upstream.UpstreamException.Kind;
import io.runstone.upstream.UpstreamServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class UpstreamSessionPoolTest {
  private static final UpstreamServer CRM = server("crm");
  private static final UpstreamServer MAIL = server("mail");

  private final FakeNetwork network = new FakeNetwork();
  private final AtomicLong now = new AtomicLong();
  private final AtomicLong version = new AtomicLong();
  private volatile List<UpstreamServer> declared = List.of(CRM, MAIL);
  private volatile PoolLimits limits = new PoolLimits(100, 100, 100, Duration.ofMinutes(10));

  private final Credentials credentials =
      new Credentials() {
        @Override
        public Authorizer authorizer(UpstreamCaller caller, UpstreamServer server) {
          return Authorizer.NONE;
        }

        @Override
        public long version(UserId user, UpstreamServer server) {
          return user.equals(ANNA) ? version.get() : 0;
        }
      };

  private final UpstreamSessionPool pool =
      new UpstreamSessionPool(network, credentials, () -> declared, () -> limits, now::get);

  private CompletionStage<Integer> count(UserId user, String owner, UpstreamServer server) {
    return pool.use(
        caller(user, owner),
        server,
        (session, authorizer) ->
            session
                .connection()
                .call(FakeNetwork.call(server.name().value()), authorizer)
                .thenApply(result -> (Integer) result.json().get("count")));
  }

  private static <T> T now(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }

  private static @Nullable Kind failure(CompletionStage<?> stage) {
    CompletionException failure = catchThrowableOfType(CompletionException.class, () -> now(stage));
    return failure.getCause() instanceof UpstreamException upstream ? upstream.kind() : null;
  }

  @Test
  void ownersAndUsersCountForThemselves() {
    assertThat(now(count(ANNA, "a", CRM))).isEqualTo(1);
    assertThat(now(count(ANNA, "a", CRM))).isEqualTo(2);
    assertThat(now(count(ANNA, "b", CRM))).isEqualTo(1);
    assertThat(now(count(BERT, "a", CRM))).isEqualTo(1);
    assertThat(network.conversations).hasSize(3);
  }

  @Test
  void whatKeepsNothingIsSharedByTheUserAlone() {
    UpstreamServer shared = server("shared", true);
    declared = List.of(shared);
    assertThat(now(count(ANNA, "a", shared))).isEqualTo(1);
    assertThat(now(count(ANNA, "b", shared))).isEqualTo(2);
    assertThat(now(count(BERT, "a", shared))).isEqualTo(1);
  }

  @Test
  void whatIsFoundToKeepNothingIsSharedUntilItDoes() {
    network.stateless = true;
    assertThat(now(count(ANNA, "a", CRM))).isEqualTo(1);
    assertThat(now(count(ANNA, "b", CRM))).isEqualTo(2);
    network.stateless = false; // another server at the same address
    assertThat(now(count(BERT, "a", CRM))).isEqualTo(1);
    assertThat(now(count(BERT, "b", CRM))).isEqualTo(1);
    assertThat(network.conversations.get(1).ended).isCompleted();
  }

  @Test
  void oneOpensForAll() {
    network.gate = new CompletableFuture<>();
    List<CompletionStage<Integer>> counts = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      counts.add(count(ANNA, "a", CRM));
    }
    network.gate.complete(null);
    assertThat(counts.stream().map(UpstreamSessionPoolTest::now)).doesNotHaveDuplicates();
    assertThat(network.conversations).hasSize(1);
  }

  @Test
  void whatFailsToOpenFailsForAllAndIsTriedAgain() {
    network.gate = new CompletableFuture<>();
    network.connectFailures.add(UpstreamException.transport("down"));
    CompletionStage<Integer> first = count(ANNA, "a", CRM);
    CompletionStage<Integer> second = count(ANNA, "a", CRM);
    network.gate.complete(null);
    assertThat(failure(first)).isEqualTo(Kind.UNAVAILABLE);
    assertThat(failure(second)).isEqualTo(Kind.UNAVAILABLE);
    assertThat(now(count(ANNA, "a", CRM))).isEqualTo(1);
  }

  @Test
  void whatCantEvenBeBegunLeavesNothingBehind() {
    network.broken = true;
    assertThatThrownBy(() -> now(count(ANNA, "a", CRM))).hasMessageContaining("open files");
    assertThat(pool.sessions()).isEmpty();
    network.broken = false;
    assertThat(now(count(ANNA, "a", CRM))).isEqualTo(1);
  }

  @Test
  void aLostSessionIsReplacedForTheNext() {
    now(count(ANNA, "a", CRM));
    network.callFailures.add(new UpstreamException(Kind.SESSION_LOST, "gone"));
    assertThat(failure(count(ANNA, "a", CRM))).isEqualTo(Kind.SESSION_LOST);
    assertThat(network.conversations.get(0).ended).isCompleted();
    assertThat(now(count(ANNA, "a", CRM))).isEqualTo(1);
  }

  @Test
  void whatIsIdleEndsAndWhatIsUsedDoesNot() {
    now(count(ANNA, "a", CRM));
    network.callGate = new CompletableFuture<>();
    CompletionStage<Integer> running = count(BERT, "a", CRM);
    now.addAndGet(Duration.ofMinutes(10).toNanos());
    pool.tend();
    assertThat(network.conversations.get(0).ended).isCompleted();
    assertThat(network.conversations.get(1).ended).isNotDone();
    network.callGate.complete(null);
    assertThat(now(running)).isEqualTo(1);
    assertThat(pool.sessions()).hasSize(1);
  }

  @Test
  void theOldestIdleOneMakesRoom() {
    limits = new PoolLimits(2, 100, 100, Duration.ofMinutes(10));
    now(count(ANNA, "a", CRM));
    now.incrementAndGet();
    now(count(ANNA, "b", CRM));
    now.incrementAndGet();
    now(count(BERT, "a", CRM));
    assertThat(network.conversations.get(0).ended).isCompleted();
    assertThat(pool.sessions()).hasSize(2);
  }

  @Test
  void nothingInUseMakesRoom() {
    limits = new PoolLimits(100, 1, 100, Duration.ofMinutes(10));
    network.callGate = new CompletableFuture<>();
    CompletionStage<Integer> running = count(ANNA, "a", CRM);
    assertThat(failure(count(ANNA, "b", CRM))).isEqualTo(Kind.LIMIT);
    CompletionStage<Integer> other = count(BERT, "b", CRM);
    network.callGate.complete(null);
    assertThat(now(running)).isEqualTo(1);
    assertThat(now(other)).isEqualTo(1);
  }

  @Test
  void otherCredentialsAndDeclarationsEndSessions() {
    now(count(ANNA, "a", CRM));
    now(count(BERT, "a", CRM));
    version.set(1);
    pool.tend();
    assertThat(network.conversations.get(0).ended).isCompleted();
    assertThat(network.conversations.get(1).ended).isNotDone();
    declared = List.of(MAIL);
    pool.tend();
    assertThat(network.conversations.get(1).ended).isCompleted();
  }

  @Test
  void revocationEndsAtOnceWhatItIsAbout() {
    now(count(ANNA, "a", CRM));
    now(count(BERT, "a", CRM));
    now(count(ANNA, "a", MAIL));
    assertThat(pool.revoke(ANNA, CRM.name())).isEqualTo(1);
    assertThat(network.conversations.get(0).ended).isCompleted();
    assertThat(pool.revoke(CRM.name())).isEqualTo(1);
    assertThat(network.conversations.get(1).ended).isCompleted();
    assertThat(network.conversations.get(2).ended).isNotDone();
  }

  @Test
  void whatIsRevokedWhileItOpensEnds() {
    network.gate = new CompletableFuture<>();
    CompletionStage<Integer> waiting = count(ANNA, "a", CRM);
    pool.revoke(CRM.name());
    network.gate.complete(null);
    assertThat(failure(waiting)).isEqualTo(Kind.SESSION_LOST);
    assertThat(network.conversations.get(0).ended).isCompleted();
    assertThat(pool.sessions()).isEmpty();
  }

  @Test
  void anOwnersEndEndsItsSessions() {
    now(count(ANNA, "a", CRM));
    now(count(ANNA, "b", CRM));
    now(count(BERT, "a", CRM));
    pool.release(ANNA, "a");
    assertThat(network.conversations.get(0).ended).isCompleted();
    assertThat(pool.sessions()).hasSize(2);
  }

  @Test
  void whoCantBeReachedIsLeftAloneForAWhileByThatUser() {
    for (int i = 0; i < 3; i++) {
      network.connectFailures.add(UpstreamException.transport("down"));
      assertThat(failure(count(ANNA, "a", CRM))).isEqualTo(Kind.UNAVAILABLE);
    }
    assertThatThrownBy(() -> now(count(ANNA, "a", CRM))).hasMessageContaining("3 times in a row");
    assertThat(network.conversations).isEmpty();
    assertThat(now(count(BERT, "a", CRM))).isEqualTo(1);
    now.addAndGet(Duration.ofSeconds(1).toNanos());
    assertThat(now(count(ANNA, "a", CRM))).isEqualTo(1);
  }

  @Test
  void refusalsNeverCountAsUnreachable() {
    for (int i = 0; i < 20; i++) {
      network.callFailures.add(new UpstreamException(Kind.FORBIDDEN, "403"));
      assertThat(failure(count(ANNA, "a", CRM))).isEqualTo(Kind.FORBIDDEN);
    }
    assertThat(now(count(ANNA, "a", CRM))).isEqualTo(1);
  }

  @Test
  void closingEndsEverything() {
    now(count(ANNA, "a", CRM));
    pool.close();
    assertThat(network.conversations.get(0).ended).isCompleted();
    assertThat(network.closed).isTrue();
    assertThat(failure(count(ANNA, "a", CRM))).isEqualTo(Kind.UNAVAILABLE);
  }
}
