package io.runstone.upstream.spike;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The pool over real connections. */
class ManyUsersTest {
  @Test
  void everyCallHasItsUsersTokenAndEveryAnswerIsItsCallers() throws Exception {
    ManyUsers.Outcome outcome = ManyUsers.run(20, 5, 3000);
    assertThat(outcome.calls()).isEqualTo(3000);
    assertThat(outcome.wrongAtServers()).isZero();
    assertThat(outcome.wrongAnswers()).isZero();
    assertThat(outcome.failures()).isZero();
    assertThat(outcome.sessions()).isEqualTo(100);
  }

  @Test
  void aServerCountsForEachSandboxAndEachUser() throws Exception {
    try (CountingServer server = new CountingServer();
        Pool pool = new Pool(List.of(server.url()), 10)) {
      assertThat(count(pool, "anna", "one")).isEqualTo("anna 1");
      assertThat(count(pool, "anna", "one")).isEqualTo("anna 2");
      assertThat(count(pool, "anna", "two")).isEqualTo("anna 1");
      assertThat(count(pool, "bert", "one")).isEqualTo("bert 1");
      assertThat(server.sessions()).isEqualTo(3);
      pool.release("anna", "one");
      assertThat(count(pool, "anna", "one")).isEqualTo("anna 1");
    }
  }

  private static String count(Pool pool, String user, String owner) throws Exception {
    return Spike.get(pool.call(user, owner, 0, "count", Map.of("user", user)));
  }
}
