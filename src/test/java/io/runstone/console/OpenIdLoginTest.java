package io.runstone.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import io.runstone.concurrent.Threads;
import io.runstone.config.AuthSettings;
import io.runstone.config.Settings;
import io.runstone.config.TestSettings;
import io.runstone.security.Requester;
import io.runstone.security.Scope;
import io.runstone.security.UserId;
import io.runstone.security.jwt.JwtLogin;
import io.runstone.security.jwt.TestIssuer;
import io.runstone.security.login.Login;
import io.runstone.testing.AuthorizationServer;
import io.runstone.upstream.oauth.ConsentException;
import io.runstone.upstream.oauth.Discovery;
import io.runstone.upstream.oauth.OAuthHttp;
import jakarta.json.Json;
import java.io.StringReader;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Login of a browser at an issuer on loopback. */
class OpenIdLoginTest {
  private final Threads threads = new Threads(Thread::new);
  private AuthorizationServer issuer;
  private OAuthHttp http;
  private JwtLogin tokens;
  private OpenIdLogin login;
  private RSAKey key;
  private UnaryOperator<JWTClaimsSet.Builder> change = claims -> claims;

  @BeforeEach
  void open() throws Exception {
    key = new RSAKeyGenerator(2048).keyID("k").generate();
    issuer = new AuthorizationServer();
    issuer.on(
        "/keys",
        exchange ->
            AuthorizationServer.send(
                exchange,
                200,
                Json.createReader(new StringReader(new JWKSet(key).toString())).readObject()));
    issuer.say("jwks_uri", issuer.issuer() + "/keys");
    issuer.idTokens = this::idToken;
    Settings settings =
        new TestSettings(Path.of("/data"))
            .with("runstone.auth", "jwt")
            .with("runstone.base-url", "http://localhost:8222")
            .with("runstone.auth.jwt.issuers", issuer.issuer())
            .with("runstone.auth.jwt.login-client-id", "page")
            .read();
    AuthSettings.Jwt jwt = (AuthSettings.Jwt) settings.auth();
    http = new OAuthHttp(threads, threads.queued("test", 4, 1000), Duration.ofSeconds(5));
    tokens = new JwtLogin(jwt, threads, Clock.systemUTC(), System::nanoTime);
    login =
        new OpenIdLogin(
            tokens,
            jwt,
            jwt.loginClient().orElseThrow(),
            new Discovery(http),
            http,
            URI.create("http://localhost:8222/connections/login/callback"),
            Clock.systemUTC());
  }

  @AfterEach
  void close() {
    tokens.close();
    http.close();
    issuer.close();
    threads.close();
  }

  private String idToken(Map<String, String> asked) {
    try {
      JWTClaimsSet.Builder claims =
          new JWTClaimsSet.Builder()
              .issuer(issuer.issuer())
              .subject(asked.get("user"))
              .audience("page")
              .claim("nonce", asked.get("nonce"))
              .expirationTime(Date.from(Instant.now().plusSeconds(300)));
      return TestIssuer.sign(key, JOSEObjectType.JWT, change.apply(claims));
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  private OpenIdLogin.Start begin() {
    return login.begin("crm").toCompletableFuture().join();
  }

  private OpenIdLogin.Done finish(Map<String, String> answer, String cookie) {
    try {
      return login.finish(answer, Optional.of(cookie), "192.0.2.7").toCompletableFuture().join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException known) {
        throw known;
      }
      throw e;
    }
  }

  private Login anna() {
    OpenIdLogin.Start start = begin();
    return finish(issuer.consent(start.link(), "anna"), start.cookie()).login();
  }

  @Test
  void theUserHasTheNameThatAccessTokensGive() {
    OpenIdLogin.Start start = begin();
    assertThat(AuthorizationServer.form(start.link().getRawQuery()))
        .containsEntry("client_id", "page")
        .containsEntry("scope", "openid runstone:upstream")
        .containsEntry("code_challenge_method", "S256")
        .containsKeys("nonce", "state");
    OpenIdLogin.Done done = finish(issuer.consent(start.link(), "anna"), start.cookie());
    assertThat(done.server()).isEqualTo("crm");
    assertThat(done.login())
        .isInstanceOfSatisfying(
            Login.Accepted.class,
            accepted -> {
              Requester requester = accepted.requester();
              assertThat(requester.user()).isEqualTo(new UserId("anna"));
              assertThat(requester.scopes()).containsExactly(Scope.UPSTREAM);
              assertThat(requester.token()).isEmpty();
            });
  }

  @Test
  void anIdTokenThatIsNotTheOneIsRefused() throws Exception {
    RSAKey other = new RSAKeyGenerator(2048).keyID("k").generate();
    RSAKey right = key;
    change = claims -> claims.claim("nonce", "x");
    assertThat(anna()).isInstanceOf(Login.Rejected.class);
    change = claims -> claims.claim("nonce", null);
    assertThat(anna()).isInstanceOf(Login.Rejected.class);
    change = claims -> claims.audience("other");
    assertThat(anna()).isInstanceOf(Login.Rejected.class);
    change = claims -> claims.claim("azp", "other");
    assertThat(anna()).isInstanceOf(Login.Rejected.class);
    change = claims -> claims.issuer("https://evil.example");
    assertThat(anna()).isInstanceOf(Login.Rejected.class);
    change = claims -> claims.expirationTime(Date.from(Instant.now().minusSeconds(60)));
    assertThat(anna()).isInstanceOf(Login.Rejected.class);
    change = claims -> claims.subject("");
    assertThat(anna()).isInstanceOf(Login.Rejected.class);
    change = claims -> claims;
    assertThat(anna()).isInstanceOf(Login.Accepted.class);
    key = other;
    assertThat(anna()).isInstanceOf(Login.Rejected.class);
    key = right;
    assertThat(anna()).isInstanceOf(Login.Accepted.class);
  }

  @Test
  void anAnswerIsGoodForOneBrowserOnce() {
    OpenIdLogin.Start hers = begin();
    OpenIdLogin.Start mallorys = begin();
    Map<String, String> answer = issuer.consent(mallorys.link(), "mallory");
    assertThatThrownBy(() -> finish(answer, hers.cookie()))
        .isInstanceOf(ConsentException.class)
        .hasMessageContaining("not begun in this browser");
    assertThatThrownBy(() -> finish(answer, mallorys.cookie()))
        .isInstanceOf(ConsentException.class);
    assertThat(issuer.count("token")).isZero();
  }

  @Test
  void anotherIssuersAnswerIsMixedUp() {
    OpenIdLogin.Start start = begin();
    Map<String, String> answer = issuer.consent(start.link(), "anna");
    answer.put("iss", "https://evil.example");
    assertThatThrownBy(() -> finish(answer, start.cookie())).isInstanceOf(ConsentException.class);
    assertThat(issuer.count("token")).isZero();
  }

  @Test
  void withoutAnIdTokenNobodyGetsIn() {
    issuer.idTokens = any -> "";
    assertThatThrownBy(this::anna)
        .isInstanceOf(ConsentException.class)
        .hasMessageContaining("no ID token");
  }
}
