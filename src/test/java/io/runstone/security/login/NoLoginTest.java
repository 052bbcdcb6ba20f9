package io.runstone.security.login;

import static org.assertj.core.api.Assertions.assertThat;

import io.runstone.security.Requester;
import io.runstone.security.UserId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NoLoginTest {
  private static Login login(String localAddress, boolean fromTheNetwork) {
    FakeExchange exchange = new FakeExchange("/execute");
    exchange.localAddress = localAddress;
    return new NoLogin(fromTheNetwork).authenticate(exchange.request(), exchange.response());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"127.0.0.1", "127.8.8.8", "::1", "0:0:0:0:0:0:0:1", "::1%lo", "::ffff:127.0.0.1"})
  void everybodyOfThisMachineIsAnonymous(String address) {
    assertThat(login(address, false))
        .isEqualTo(new Login.Accepted(Requester.of(UserId.ANONYMOUS).at("192.0.2.7")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "192.0.2.1",
        "10.0.0.1",
        "::",
        "",
        "0.0.0.0",
        "fe80::1%lo",
        "localhost.evil",
        "127.0.0.1.evil",
        "::ffff:10.0.0.1",
        "2001:db8::127.0.0.1"
      })
  void theNetworkIsRefusedWithTheCure(String address) {
    assertThat(login(address, false))
        .isInstanceOfSatisfying(
            Login.Forbidden.class,
            refused ->
                assertThat(refused.reason())
                    .contains("runstone.auth", "allow-anonymous-from-the-network"));
    assertThat(login(address, true)).isInstanceOf(Login.Accepted.class);
  }

  @Test
  void aServerThatDoesNotKnowTheAddressIsNotTrusted() {
    FakeExchange exchange = new FakeExchange("/execute");
    exchange.localAddress = null;
    assertThat(new NoLogin(false).authenticate(exchange.request(), exchange.response()))
        .isInstanceOf(Login.Forbidden.class);
  }
}
