package io.runstone.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AllowedHostsTest {
  private final AllowedHosts hosts = new AllowedHosts(Set.of("runstone.example"));

  @ParameterizedTest
  @ValueSource(
      strings = {
        "localhost",
        "LOCALHOST:8222",
        "127.0.0.1",
        "127.0.0.1:1",
        "[::1]",
        "[::1]:8222",
        "coderunner.local:8222",
        "runstone.example",
        "Runstone.Example:443",
        " localhost "
      })
  void allowsTheLocalNamesAndTheConfiguredOnes(String host) {
    assertThat(hosts.allowsHost(Optional.of(host))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "evil.example",
        "localhost.evil.example",
        "evil@localhost",
        "localhost:80:80",
        "localhost:port",
        "127.0.0.1.nip.io",
        "::1",
        "[::1",
        "localhost/",
        "127.0.0.2"
      })
  void refusesForeignAndMalformedNames(String host) {
    assertThat(hosts.allowsHost(Optional.of(host))).isFalse();
  }

  @Test
  void refusesARequestWithoutHost() {
    assertThat(hosts.allowsHost(Optional.empty())).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://localhost:3000",
        "https://runstone.example",
        "http://127.0.0.1",
        "http://[::1]:6274"
      })
  void allowsOriginsOfThoseHosts(String origin) {
    assertThat(hosts.allowsOrigin(Optional.of(origin))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "null",
        "",
        "https://evil.example",
        "http://localhost.evil.example",
        "localhost",
        "file:///etc/passwd",
        "http://evil.example@localhost:80",
        "http://",
        "chrome-extension://localhost"
      })
  void refusesForeignOrigins(String origin) {
    assertThat(hosts.allowsOrigin(Optional.of(origin))).isFalse();
  }

  @Test
  void aRequestWithoutOriginIsNotFromABrowser() {
    assertThat(hosts.allowsOrigin(Optional.empty())).isTrue();
  }
}
