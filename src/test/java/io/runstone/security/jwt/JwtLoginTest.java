package io.runstone.security.jwt;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.runstone.concurrent.Threads;
import io.runstone.config.AuthSettings;
import io.runstone.config.TestSettings;
import io.runstone.security.Requester;
import io.runstone.security.Scope;
import io.runstone.security.UserId;
import io.runstone.security.login.FakeExchange;
import io.runstone.security.login.Login;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tokens of an issuer that publishes its keys over HTTP. */
class JwtLoginTest {
  private static final String ALL = "openid runstone:execute runstone:sessions other";

  private final Threads threads = new Threads(Thread::new);
  private TestIssuer issuer;
  private JwtLogin login;

  @BeforeEach
  void open() throws Exception {
    issuer = new TestIssuer();
    login = login(issuer.name(), "sub");
  }

  @AfterEach
  void close() {
    login.close();
    issuer.close();
    threads.close();
  }

  private JwtLogin login(String issuers, String userClaim) {
    AuthSettings settings =
        new TestSettings(Path.of("/data"))
            .with("runstone.auth", "jwt")
            .with("runstone.base-url", "https://runstone.example")
            .with("runstone.auth.jwt.issuers", issuers)
            .with("runstone.auth.jwt.user-claim", userClaim)
            .read()
            .auth();
    return new JwtLogin((AuthSettings.Jwt) settings, threads, Clock.systemUTC(), System::nanoTime);
  }

  private static Login with(JwtLogin login, String token) {
    FakeExchange exchange = new FakeExchange("/execute").with("Authorization", "Bearer " + token);
    return login.authenticate(exchange.request(), exchange.response());
  }

  private Requester accepted(JWTClaimsSet.Builder claims) throws Exception {
    return ((Login.Accepted) with(login, issuer.sign(claims))).requester();
  }

  @Test
  void takesUserScopesAndClientFromARightToken() throws Exception {
    String token = issuer.sign(issuer.claims("anna", ALL + " runstone:upstream:crm"));
    Requester requester = ((Login.Accepted) with(login, token)).requester();
    assertThat(requester.user()).isEqualTo(new UserId("anna"));
    assertThat(requester.scopes()).containsExactlyInAnyOrder(Scope.EXECUTE, Scope.SESSIONS);
    assertThat(requester.client()).isEqualTo("test-client");
    assertThat(requester.address()).isEqualTo("192.0.2.7");
    assertThat(requester.mayUse("crm")).isTrue();
    assertThat(requester.mayUse("other")).isFalse();
    assertThat(requester.token().orElseThrow().reveal()).isEqualTo(token);
    assertThat(requester.toString()).doesNotContain(token);
  }

  @Test
  void takesTheFormsThatIssuersWrite() throws Exception {
    JWTClaimsSet.Builder list =
        issuer
            .claims("anna", "")
            .claim("scp", List.of("runstone:files", "x"))
            .claim("client_id", null)
            .claim("azp", "web");
    assertThat(accepted(list).scopes()).containsExactly(Scope.FILES);
    assertThat(accepted(list).client()).isEqualTo("web");
    assertThat(accepted(issuer.claims("anna", "").claim("scope", null)).scopes()).isEmpty();
    assertThat(accepted(issuer.claims("a", "").audience(List.of("x", TestIssuer.AUDIENCE))).user())
        .isEqualTo(new UserId("a"));
    for (String type : List.of("JWT", "application/at+jwt")) {
      String token =
          TestIssuer.sign(issuer.key(), new JOSEObjectType(type), issuer.claims("anna", ALL));
      assertThat(with(login, token)).isInstanceOf(Login.Accepted.class);
    }
  }

  @Test
  void aClockMayBeALittleOff() throws Exception {
    Instant now = Instant.now();
    assertThat(
            accepted(
                issuer
                    .claims("anna", ALL)
                    .expirationTime(Date.from(now.minusSeconds(10)))
                    .notBeforeTime(Date.from(now.plusSeconds(10)))))
        .isNotNull();
  }

  @Test
  void refusesEveryWrongTokenWithoutRepeatingIt() throws Exception {
    for (Map.Entry<String, String> bad : new BadTokens(issuer, ALL).all().entrySet()) {
      assertThat(with(login, bad.getValue()))
          .as(bad.getKey())
          .isInstanceOfSatisfying(
              Login.Rejected.class,
              rejected ->
                  assertThat(rejected.reason()).matches("[a-zA-Z ']{10,80}").doesNotContain("eyJ"));
    }
  }

  @Test
  void aTokenIsNeverTakenFromElsewhere() throws Exception {
    String token = issuer.sign(issuer.claims("anna", ALL));
    FakeExchange query = new FakeExchange("/execute?access_token=" + token);
    assertThat(login.authenticate(query.request(), query.response()))
        .isEqualTo(new Login.Missing());
    FakeExchange key = new FakeExchange("/execute").with("X-API-Key", token);
    assertThat(login.authenticate(key.request(), key.response())).isEqualTo(new Login.Missing());
    FakeExchange two =
        new FakeExchange("/execute")
            .with("Authorization", "Bearer " + token)
            .with("Authorization", "Bearer " + token);
    assertThat(login.authenticate(two.request(), two.response()))
        .isInstanceOf(Login.Rejected.class);
  }

  @Test
  void aUserOfOneIssuerIsNotThatOfAnother() throws Exception {
    try (TestIssuer other = new TestIssuer();
        Closing both = new Closing(login(issuer.name() + "," + other.name(), "sub"))) {
      UserId anna = user(both.login(), issuer.sign(issuer.claims("anna", ALL)));
      assertThat(anna).isEqualTo(new UserId(issuer.name() + "#anna"));
      assertThat(user(both.login(), other.sign(other.claims("anna", ALL)))).isNotEqualTo(anna);
      // A key of one issuer signs nothing of another.
      assertThat(with(both.login(), other.sign(issuer.claims("anna", ALL))))
          .isInstanceOf(Login.Rejected.class);
    }
  }

  @Test
  void anotherClaimCanNameTheUser() throws Exception {
    try (Closing email = new Closing(login(issuer.name(), "email"))) {
      assertThat(
              user(
                  email.login(),
                  issuer.sign(issuer.claims("1", ALL).claim("email", "a@b.example"))))
          .isEqualTo(new UserId("a@b.example"));
      assertThat(
              with(email.login(), issuer.sign(issuer.claims("1", ALL).claim("email", List.of()))))
          .isInstanceOf(Login.Rejected.class);
    }
  }

  private static UserId user(JwtLogin login, String token) {
    return ((Login.Accepted) with(login, token)).requester().user();
  }

  private record Closing(JwtLogin login) implements AutoCloseable {
    @Override
    public void close() {
      login.close();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ES256", "ES384"})
  void ellipticCurvesWorkToo(String algorithm) throws Exception {
    Curve curve = algorithm.equals("ES256") ? Curve.P_256 : Curve.P_384;
    ECKey key = new ECKeyGenerator(curve).keyID("ec").generate();
    SignedJWT token =
        new SignedJWT(
            new JWSHeader.Builder(JWSAlgorithm.parse(algorithm)).keyID("ec").build(),
            issuer.claims("anna", ALL).build());
    token.sign(new ECDSASigner(key));
    AuthSettings.Jwt settings =
        (AuthSettings.Jwt)
            new TestSettings(Path.of("/data"))
                .with("runstone.auth", "jwt")
                .with("runstone.base-url", "https://runstone.example")
                .with("runstone.auth.jwt.issuers", issuer.name())
                .read()
                .auth();
    IssuerKeys keys =
        new IssuerKeys(
            issuer.name(), () -> new JWKSet(key), settings.keys(), Runnable::run, System::nanoTime);
    TokenCheck check = new TokenCheck(settings, Map.of(issuer.name(), keys), Clock.systemUTC());
    assertThat(Optional.ofNullable(check.check(token.serialize()).getSubject())).contains("anna");
  }
}
