package io.runstone.admin;

import static io.runstone.upstream.FakeNetwork.ANNA;
import static io.runstone.upstream.FakeNetwork.BERT;
import static io.runstone.upstream.FakeNetwork.call;
import static io.runstone.upstream.FakeNetwork.caller;
import static io.runstone.upstream.FakeNetwork.server;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.runstone.security.UserId;
import io.runstone.security.audit.AuditLog;
import io.runstone.upstream.Credentials;
import io.runstone.upstream.FakeNetwork;
import io.runstone.upstream.ServerDirectory;
import io.runstone.upstream.UpstreamServer;
import io.runstone.upstream.broker.UpstreamControl;
import io.runstone.upstream.pool.PoolLimits;
import io.runstone.upstream.pool.UpstreamSessionPool;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class UpstreamAdminTest {
  private final FakeNetwork network = new FakeNetwork();
  private final Declared directory = new Declared();
  private final UpstreamSessionPool pool =
      new UpstreamSessionPool(
          network,
          Credentials.NONE,
          directory,
          () -> new PoolLimits(10, 10, 10, Duration.ofMinutes(1)),
          System::nanoTime);
  private final UpstreamControl control =
      new UpstreamControl(directory, pool, AuditLog.OFF, Clock.systemUTC());
  private final UpstreamAdmin admin = new UpstreamAdmin(control);

  private static final class Declared implements ServerDirectory {
    private List<UpstreamServer> now = List.of(server("crm"), server("mail"));
    private List<UpstreamServer> next = now;

    @Override
    public List<UpstreamServer> servers() {
      return now;
    }

    @Override
    public Optional<String> trouble() {
      return Optional.of("/servers/x: is not known");
    }

    @Override
    public void refresh() {
      now = next;
    }
  }

  @BeforeEach
  void use() {
    for (UserId user : List.of(ANNA, BERT)) {
      pool.use(
              caller(user, "session"),
              server("crm"),
              (session, authorizer) -> session.connection().call(call("crm"), authorizer))
          .toCompletableFuture()
          .join();
    }
  }

  @Test
  void showsServersSessionsAndTrouble() {
    assertThat(admin.getServers()).containsExactly("crm", "mail");
    assertThat(admin.getTrouble()).isEqualTo("/servers/x: is not known");
    assertThat(admin.getSessions()).isEqualTo(2);
    assertThat(admin.getRunningCalls()).isZero();
    assertThat(admin.listSessions())
        .allSatisfy(
            session -> {
              assertThat(session.getServer()).isEqualTo("crm");
              assertThat(session.getOwner()).isEqualTo("session");
              assertThat(session.getVersion()).isEqualTo("2025-11-25");
            })
        .extracting(UpstreamSessionSummary::getUser)
        .containsExactlyInAnyOrder("anna", "bert");
  }

  @Test
  void revokesWhatItIsAbout() {
    assertThat(admin.revoke("anna", "crm")).isEqualTo(1);
    assertThat(admin.revoke("anna", "crm")).isZero();
    assertThat(admin.revokeServer("mail")).isZero();
    assertThat(admin.revokeServer("crm")).isEqualTo(1);
    assertThat(network.conversations).allMatch(conversation -> conversation.ended.isDone());
    assertThatThrownBy(() -> admin.revokeServer("*")).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aRefreshEndsSessionsWithWhatIsGone() {
    directory.next = List.of(server("mail"));
    admin.refresh();
    assertThat(admin.getServers()).containsExactly("mail");
    assertThat(admin.getSessions()).isZero();
  }

  @Test
  void aChangeOfConsentEndsTheUsersSessions() {
    control.changed(ANNA, server("crm").name());
    assertThat(admin.listSessions())
        .extracting(UpstreamSessionSummary::getUser)
        .containsExactly("bert");
  }
}
