package io.runstone.upstream.oauth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where tokens and browsers may be sent. */
class AddressesTest {
  private static final Addresses REMOTE = Addresses.namedBy(URI.create("https://crm.example/mcp"));
  private static final Addresses LOCAL = Addresses.namedBy(URI.create("http://localhost:1/mcp"));

  @Test
  void httpsIsTakenAndLoopbackOnlyFromLoopback() {
    for (Addresses any : new Addresses[] {REMOTE, LOCAL}) {
      assertThat(any.check("https://login.example/a?b=c", "x"))
          .isEqualTo(URI.create("https://login.example/a?b=c"));
      assertThat(any.checkOptional(null, "x")).isEmpty();
    }
    for (String loopback :
        new String[] {"http://127.0.0.1:1/", "http://[::1]/", "https://LocalHost:8443/token"}) {
      assertThat(LOCAL.check(loopback, "x")).hasToString(loopback);
      assertThatThrownBy(() -> REMOTE.check(loopback, "x")).isInstanceOf(OAuthException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "http://login.example/",
        "https:///path",
        "https:opaque",
        "//login.example",
        "ftp://localhost/",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "https://user:password@login.example/",
        "https://login.example/#part",
        "http://127.0.0.1.evil.example/",
        "http://localhost.evil.example/",
        "https://login.example/ space"
      })
  void othersAreNot(String address) {
    for (Addresses any : new Addresses[] {REMOTE, LOCAL}) {
      assertThatThrownBy(() -> any.check(address, "token_endpoint"))
          .isInstanceOf(OAuthException.class)
          .hasMessageContaining("token_endpoint");
    }
  }
}
