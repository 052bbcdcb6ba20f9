package io.runstone.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pins the keys of the login, their defaults and their bounds. */
class AuthReaderTest {
  private static AuthSettings read(Map<String, String> values) {
    return new AuthReader(values::get).read();
  }

  @Test
  void nobodyLogsInByDefault() {
    assertThat(read(Map.of())).isEqualTo(new AuthSettings.None(false));
    assertThat(
            read(
                Map.of(
                    "runstone.auth",
                    "none",
                    "runstone.auth.allow-anonymous-from-the-network",
                    "true")))
        .isEqualTo(new AuthSettings.None(true));
  }

  @Test
  void apiKeysAndTheServersOwnLogin() {
    assertThat(read(Map.of("runstone.auth", "api-key", "runstone.auth.api-keys-file", "/etc/keys")))
        .isEqualTo(new AuthSettings.ApiKey(Path.of("/etc/keys")));
    assertThat(read(Map.of("runstone.auth", "container"))).isEqualTo(new AuthSettings.Container());
  }

  @Test
  void tokensByDefault() {
    assertThat(
            read(
                Map.of(
                    "runstone.auth", "jwt",
                    "runstone.base-url", "https://r.example/",
                    "runstone.auth.jwt.issuers", "https://i.example/realm")))
        .isEqualTo(
            new AuthSettings.Jwt(
                List.of(new AuthSettings.Issuer("https://i.example/realm", Optional.empty())),
                URI.create("https://r.example"),
                Set.of("https://r.example", "https://r.example/", "https://r.example/mcp"),
                Set.of(
                    "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384",
                    "ES512"),
                Duration.ofSeconds(30),
                "sub",
                new AuthSettings.KeyTerms(
                    Duration.ofMinutes(15), Duration.ofHours(24), Duration.ofSeconds(30)),
                Optional.empty()));
  }

  @Test
  void everyKeyOfTokensIsRead() {
    assertThat(
            read(
                Map.ofEntries(
                    Map.entry("runstone.auth", "jwt"),
                    Map.entry("runstone.base-url", "http://localhost:1"),
                    Map.entry("runstone.auth.jwt.resource", "https://r.example"),
                    Map.entry("runstone.auth.jwt.issuers", "https://i.example, http://localhost:2"),
                    Map.entry(
                        "runstone.auth.jwt.jwks-uris", "https://i.example/k,http://127.0.0.1:2/k"),
                    Map.entry("runstone.auth.jwt.audiences", "a, b"),
                    Map.entry("runstone.auth.jwt.algorithms", "ES256"),
                    Map.entry("runstone.auth.jwt.clock-skew", "PT3S"),
                    Map.entry("runstone.auth.jwt.user-claim", "email"),
                    Map.entry("runstone.auth.jwt.keys-refresh", "PT4S"),
                    Map.entry("runstone.auth.jwt.keys-lifetime", "PT5S"),
                    Map.entry("runstone.auth.jwt.keys-cooldown", "PT6S"),
                    Map.entry("runstone.auth.jwt.login-client-id", "page"),
                    Map.entry("runstone.auth.jwt.login-client-secret-file", "/etc/secret"))))
        .isEqualTo(
            new AuthSettings.Jwt(
                List.of(
                    new AuthSettings.Issuer(
                        "https://i.example", Optional.of(URI.create("https://i.example/k"))),
                    new AuthSettings.Issuer(
                        "http://localhost:2", Optional.of(URI.create("http://127.0.0.1:2/k")))),
                URI.create("https://r.example"),
                Set.of("a", "b"),
                Set.of("ES256"),
                Duration.ofSeconds(3),
                "email",
                new AuthSettings.KeyTerms(
                    Duration.ofSeconds(4), Duration.ofSeconds(5), Duration.ofSeconds(6)),
                Optional.of(
                    new AuthSettings.LoginClient("page", Optional.of(Path.of("/etc/secret"))))));
  }

  @ParameterizedTest
  @CsvSource({
    "runstone.auth,oauth",
    "runstone.auth.jwt.issuers,http://i.example",
    "runstone.auth.jwt.issuers,i.example",
    "runstone.auth.jwt.issuers,https://a@i.example",
    "runstone.auth.jwt.issuers,'https://i.example,https://i.example'",
    "runstone.auth.jwt.issuers,file:///etc/passwd",
    "runstone.auth.jwt.jwks-uris,http://i.example/keys",
    "runstone.auth.jwt.jwks-uris,'https://i.example/1,https://i.example/2'",
    "runstone.auth.jwt.resource,http://r.example",
    "runstone.auth.jwt.algorithms,HS256",
    "runstone.auth.jwt.algorithms,none",
    "runstone.auth.jwt.algorithms,'RS256,dir'",
    "runstone.auth.jwt.keys-refresh,PT48H",
    "runstone.auth.jwt.login-client-secret-file,secret"
  })
  void aValueThatCantBeUsedIsRefusedWithItsKey(String key, String value) {
    Map<String, String> values = new HashMap<>();
    values.put("runstone.auth", "jwt");
    values.put("runstone.base-url", "https://r.example");
    values.put("runstone.auth.jwt.issuers", "https://i.example");
    values.put("runstone.auth.jwt.login-client-id", "page");
    values.put(key, value);
    assertThatThrownBy(() -> read(values))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(key + "=")
        .hasMessageContaining("expected");
  }

  @ParameterizedTest
  @CsvSource({
    "api-key,runstone.auth.api-keys-file",
    "jwt,runstone.auth.jwt.resource",
  })
  void whatAKindNeedsHasToBeThere(String kind, String key) {
    assertThatThrownBy(() -> read(Map.of("runstone.auth", kind)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(key + "=");
  }
}
