package io.runstone.security.login;

import static org.assertj.core.api.Assertions.assertThat;

import io.runstone.security.Requester;
import io.runstone.security.Scope;
import io.runstone.security.UserId;
import java.io.IOException;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ContainerLoginTest {
  private final FakeExchange exchange = new FakeExchange("/execute");

  private Login login() throws IOException {
    return new ContainerLogin().authenticate(exchange.request(), exchange.response());
  }

  @Test
  void takesTheServersUserAndRoles() throws Exception {
    exchange.principal = "anna";
    exchange.roles = Set.of("runstone:execute", "admin");
    assertThat(login())
        .isEqualTo(
            new Login.Accepted(
                new Requester(new UserId("anna"), Set.of(Scope.EXECUTE), "", "192.0.2.7")));
  }

  @Test
  void aServerWithoutLoginLetsNobodyIn() throws Exception {
    assertThat(login()).isEqualTo(new Login.Missing());
  }

  @Test
  void leavesTheQuestionToTheServer() throws Exception {
    exchange.ownLogin = 401;
    assertThat(login()).isEqualTo(new Login.Answered());
  }

  @Test
  void aNameWithALineInItIsNone() throws Exception {
    exchange.principal = "anna\nroot";
    assertThat(login()).isEqualTo(new Login.Missing());
  }
}
