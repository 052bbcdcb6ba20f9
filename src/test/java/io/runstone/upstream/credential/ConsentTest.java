package io.runstone.upstream.credential;

import static io.runstone.upstream.credential.OAuthBench.ANNA;
import static io.runstone.upstream.credential.OAuthBench.BEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.runstone.testing.AuthorizationServer;
import io.runstone.upstream.UpstreamException;
import io.runstone.upstream.oauth.ConsentException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How users consent in a browser, and what attackers and broken servers make of it. */
class ConsentTest {
  @TempDir Path data;

  private OAuthBench bench;

  @BeforeEach
  void open() throws Exception {
    bench = new OAuthBench(data);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private void refusesToBegin(String part) {
    assertThatThrownBy(() -> bench.begin(ANNA, "browser"))
        .isInstanceOf(ConsentException.class)
        .hasMessageContaining(part)
        .hasMessageNotContaining("canary");
  }

  private void refusesToFinish(Map<String, String> answer, String part) {
    long asked = bench.issuer.count("token");
    assertThatThrownBy(() -> bench.finish(ANNA, "browser", answer))
        .isInstanceOf(ConsentException.class)
        .hasMessageContaining(part)
        .hasMessageNotContaining("canary");
    assertThat(bench.issuer.count("token")).isEqualTo(asked);
    assertThatThrownBy(() -> bench.header(ANNA)).isInstanceOf(UpstreamException.class);
  }

  @Test
  void withoutConsentTheCallerGetsTheLink() {
    assertThatThrownBy(() -> bench.header(ANNA))
        .isInstanceOfSatisfying(
            UpstreamException.class,
            e -> {
              assertThat(e.kind()).isEqualTo(UpstreamException.Kind.CONSENT_REQUIRED);
              assertThat(e.link())
                  .hasValue(URI.create("http://localhost:8222/connections?server=crm"));
            });
    assertThat(bench.logins.missingConsent(ANNA.user(), bench.crm()))
        .hasValue(URI.create("http://localhost:8222/connections?server=crm"));
  }

  @Test
  void consentGivesATokenToThatUserOnly() {
    long before = bench.logins.version(ANNA.user(), bench.crm());
    URI link = bench.begin(ANNA, "browser");
    Map<String, String> query = AuthorizationServer.form(link.getRawQuery());
    assertThat(query)
        .containsEntry("response_type", "code")
        .containsEntry("code_challenge_method", "S256")
        .containsEntry("resource", bench.issuer.mcp().toString())
        .containsEntry("scope", "tools");
    assertThat(query.get("redirect_uri"))
        .matches("http://localhost:8222/connections/callback\\?as=[0-9a-f]{16}");
    bench.finish(ANNA, "browser", bench.issuer.consent(link, "anna"));
    assertThat(bench.issuer.takes(bench.header(ANNA).substring(7))).isTrue();
    assertThat(bench.issuer.last("token")).containsEntry("resource", query.get("resource"));
    assertThat(bench.issuer.last("token").get("authorization")).startsWith("Basic ");
    assertThat(bench.logins.version(ANNA.user(), bench.crm())).isNotEqualTo(before);
    assertThat(bench.logins.missingConsent(ANNA.user(), bench.crm())).isEmpty();
    assertThatThrownBy(() -> bench.header(BEN)).isInstanceOf(UpstreamException.class);
  }

  /** Scopes and the place of the metadata count that a request without a token hears of. */
  @Test
  void asksForWhatTheServersChallengeWants() {
    bench.issuer.challenge = "mail calendar";
    Map<String, String> query =
        AuthorizationServer.form(bench.begin(ANNA, "browser").getRawQuery());
    assertThat(query).containsEntry("scope", "mail calendar");
  }

  @Test
  void aDeclaredClientIsNotRegistered() {
    bench.declare(
        Declared.server(
            "crm",
            bench.issuer.mcp(),
            OAuthBench.login(
                Optional.of(URI.create(bench.issuer.issuer())), Optional.of("known"))));
    bench.connect(ANNA);
    assertThat(bench.issuer.count("register")).isZero();
    assertThat(bench.issuer.last("token"))
        .containsEntry("client_id", "known")
        .containsEntry("authorization", "");
  }

  @Test
  void whereDocumentsAreTakenNobodyRegisters() {
    bench
        .settings
        .with("runstone.base-url", "https://runstone.example/")
        .with("runstone.upstream.client-metadata", "true");
    bench.restart();
    assertThat(bench.logins.document().orElseThrow().json())
        .contains("\"https://runstone.example/client-metadata.json\"")
        .contains("\"https://runstone.example/connections/callback\"");
    bench.connect(BEN); // it does not take them
    assertThat(bench.issuer.count("register")).isEqualTo(1);

    bench.issuer.say("client_id_metadata_document_supported", true);
    bench.issuer.say("authorization_response_iss_parameter_supported", "");
    bench.connect(ANNA); // its answers are like those of any other
    assertThat(
            AuthorizationServer.form(bench.begin(ANNA, "browser").getRawQuery()).get("client_id"))
        .doesNotStartWith("https:");

    bench.issuer.say("authorization_response_iss_parameter_supported", true);
    URI link = bench.begin(ANNA, "browser");
    assertThat(AuthorizationServer.form(link.getRawQuery()))
        .containsEntry("client_id", "https://runstone.example/client-metadata.json")
        .containsEntry("redirect_uri", "https://runstone.example/connections/callback");
    bench.finish(ANNA, "browser", bench.issuer.consent(link, "anna"));
    assertThat(bench.issuer.count("register")).isEqualTo(1);
    assertThat(bench.issuer.last("token"))
        .containsEntry("client_id", "https://runstone.example/client-metadata.json")
        .containsEntry("authorization", "");
    bench.clock.advance(Duration.ofHours(2));
    assertThat(bench.issuer.takes(bench.header(ANNA).substring(7))).isTrue();
    assertThat(bench.issuer.takes(bench.header(BEN).substring(7))).isTrue();

    say("/token", 401, "{\"error\":\"invalid_client\"}"); // it could not fetch the document
    bench.clock.advance(Duration.ofHours(2));
    assertThatThrownBy(() -> bench.header(ANNA)).hasMessageContaining("invalid_client");
    bench.issuer.answerAsUsual("/token");
    assertThat(bench.issuer.takes(bench.header(ANNA).substring(7))).isTrue();
  }

  /** Its metadata is at the usual place, so nothing hangs on what it answers. */
  @Test
  void aServerThatBreaksOffAGetIsFoundAllTheSame() {
    bench.issuer.answer(
        "/mcp",
        exchange -> {
          if (exchange.getRequestMethod().equals("POST")) {
            exchange.sendResponseHeaders(401, -1);
          }
        });
    assertThat(AuthorizationServer.form(bench.begin(ANNA, "browser").getRawQuery()))
        .containsEntry("scope", "tools");
  }

  @Test
  void registersOnceAlsoAfterARestart() {
    bench.connect(ANNA);
    bench.restart();
    bench.connect(BEN);
    assertThat(bench.issuer.count("register")).isEqualTo(1);
    assertThat(bench.issuer.takes(bench.header(ANNA).substring(7))).isTrue();
  }

  @Test
  void aClientThatTheIssuerForgotIsRegisteredAnew() {
    say("/token", 401, "{\"error\":\"invalid_client\"}");
    assertThatThrownBy(() -> bench.connect(ANNA)).hasMessageContaining("invalid_client");
    bench.issuer.answerAsUsual("/token");
    bench.connect(ANNA);
    assertThat(bench.issuer.count("register")).isEqualTo(2);
    say("/token", 401, "{\"error\":\"invalid_client\"}");
    bench.clock.advance(Duration.ofHours(2));
    assertThatThrownBy(() -> bench.header(ANNA)).hasMessageContaining("not connected");
  }

  @Test
  void aStateIsGoodForOnce() {
    URI link = bench.begin(ANNA, "browser");
    Map<String, String> answer = bench.issuer.consent(link, "anna");
    bench.finish(ANNA, "browser", answer);
    bench.disconnect(ANNA);
    refusesToFinish(answer, "was used before");
    refusesToFinish(Map.of("code", "x", "state", "y"), "was not asked for");
    refusesToFinish(Map.of(), "was not asked for");
  }

  @Test
  void anotherUserOrBrowserGetsNothing() {
    Map<String, String> hers = bench.issuer.consent(bench.begin(BEN, "browser"), "mallory");
    refusesToFinish(hers, "another user");
    assertThatThrownBy(() -> bench.finish(BEN, "browser", hers))
        .hasMessageContaining("was used before");
    refusesToFinish(bench.issuer.consent(bench.begin(ANNA, "other"), "anna"), "another browser");
  }

  @Test
  void tenMinutesLaterItIsTooLate() {
    Map<String, String> answer = bench.issuer.consent(bench.begin(ANNA, "browser"), "anna");
    bench.clock.advance(Duration.ofMinutes(10));
    refusesToFinish(answer, "came too late");
  }

  @Test
  void anAnswerOfAnotherIssuerIsMixedUp() {
    for (String iss : List.of("https://evil.example", bench.issuer.issuer() + "/", "")) {
      Map<String, String> answer = bench.issuer.consent(bench.begin(ANNA, "browser"), "anna");
      answer.put("iss", iss);
      refusesToFinish(answer, "not from the authorization server");
    }
    Map<String, String> silent = bench.issuer.consent(bench.begin(ANNA, "browser"), "anna");
    silent.remove("iss");
    refusesToFinish(silent, "not from the authorization server");
    bench.issuer.say("authorization_response_iss_parameter_supported", "");
    for (String as : List.of("0123456789abcdef", "")) {
      Map<String, String> elsewhere = bench.issuer.consent(bench.begin(ANNA, "browser"), "anna");
      elsewhere.remove("iss");
      elsewhere.put("as", as);
      refusesToFinish(elsewhere, "not from the authorization server");
    }
  }

  @Test
  void anIssuerThatNeverNamesItselfIsTaken() {
    bench.issuer.say("authorization_response_iss_parameter_supported", "");
    Map<String, String> answer = bench.issuer.consent(bench.begin(ANNA, "browser"), "anna");
    answer.remove("iss");
    bench.finish(ANNA, "browser", answer);
    assertThat(bench.header(ANNA)).startsWith("Bearer ");
  }

  @Test
  void aCodeOfAnotherConsentIsRefusedByItsVerifier() {
    Map<String, String> mallorys = bench.issuer.consent(bench.begin(BEN, "his"), "mallory");
    Map<String, String> answer =
        new HashMap<>(bench.issuer.consent(bench.begin(ANNA, "browser"), "anna"));
    answer.put("code", mallorys.get("code"));
    assertThatThrownBy(() -> bench.finish(ANNA, "browser", answer))
        .isInstanceOf(ConsentException.class)
        .hasMessageContaining("invalid_grant");
    assertThatThrownBy(() -> bench.header(ANNA)).isInstanceOf(UpstreamException.class);
  }

  @Test
  void noConsentIsToldAsSuch() {
    for (String error : List.of("access_denied", "<script>canary")) {
      Map<String, String> answer = bench.issuer.consent(bench.begin(ANNA, "browser"), "anna");
      answer.remove("code");
      answer.put("error", error);
      refusesToFinish(
          answer, error.startsWith("a") ? "did not consent" : "an error without a name");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "issuer,https://evil.example,another issuer",
    "token_endpoint,http://192.0.2.1/token,not https",
    "authorization_endpoint,javascript:alert(1),not https",
    "authorization_endpoint,'',not https",
    "registration_endpoint,http://evil.example/register,not https",
    "revocation_endpoint,http://u:p@localhost/,not https",
    "code_challenge_methods_supported,plain,PKCE",
    "registration_endpoint,'',declare a client-id"
  })
  void whatAnIssuerMayNotSay(String field, String value, String part) {
    bench.issuer.say(field, value);
    refusesToBegin(part);
  }

  @Test
  void aServerMayNotNameAnotherResourceOrLeadToLoopback() {
    for (String json :
        List.of(
            "{\"resource\":\"https://bank.example/mcp\",\"authorization_servers\":[\"https://a.example\"]}",
            "{\"resource\":\"%s/m\",\"authorization_servers\":[\"https://a.example\"]}"
                .formatted(bench.issuer.issuer()))) {
      say("/.well-known/oauth-protected-resource", 200, json);
      refusesToBegin("another resource");
    }
    say(
        "/.well-known/oauth-protected-resource",
        200,
        "{\"resource\":\"%s\",\"authorization_servers\":[\"http://192.0.2.1\"]}"
            .formatted(bench.issuer.mcp()));
    refusesToBegin("not https");
  }

  private void say(String path, int status, String body) {
    bench.issuer.answer(
        path,
        exchange -> {
          byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(status, bytes.length);
          exchange.getResponseBody().write(bytes);
        });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/.well-known/oauth-protected-resource",
        "/.well-known/oauth-authorization-server",
        "/register",
        "/token"
      })
  void badAnswersAreTold(String path) {
    for (String body : List.of("", "canary", "[]", "null", "{\"canary\":", "\"canary\"")) {
      say(path, 200, body);
      assertThatThrownBy(() -> bench.connect(ANNA))
          .as(body)
          .isInstanceOf(ConsentException.class)
          .hasMessageNotContaining("canary");
    }
    say(path, 200, " ".repeat(300_000) + "{}");
    assertThatThrownBy(() -> bench.connect(ANNA)).hasMessageContaining("larger than");
    say(path, 500, "canary");
    assertThatThrownBy(() -> bench.connect(ANNA)).hasMessageContaining("status 500");
    bench.issuer.answer(
        path,
        exchange -> {
          exchange.getResponseHeaders().set("Location", bench.issuer.issuer() + "/elsewhere");
          exchange.sendResponseHeaders(302, -1);
        });
    assertThatThrownBy(() -> bench.connect(ANNA)).hasMessageContaining("status 302");
  }

  @Test
  void aSilentIssuerIsGivenUp() {
    CountDownLatch never = new CountDownLatch(1);
    bench.issuer.answer(
        "/token",
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          exchange.getResponseBody().write(' ');
          exchange.getResponseBody().flush();
          try {
            never.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    assertThatThrownBy(() -> bench.connect(ANNA)).hasMessageContaining("takes too long");
    never.countDown();
  }

  @Test
  void anotherDeclarationGetsNoTokens() {
    bench.connect(ANNA);
    bench.declare(
        Declared.server(
            "crm",
            URI.create("https://evil.example/mcp"),
            OAuthBench.login(Optional.empty(), Optional.empty())));
    assertThatThrownBy(() -> bench.header(ANNA)).hasMessageContaining("not connected");
    bench.declare(
        Declared.server(
            "crm",
            bench.issuer.mcp(),
            OAuthBench.login(Optional.of(URI.create("https://other.example")), Optional.empty())));
    assertThatThrownBy(() -> bench.header(ANNA)).hasMessageContaining("not connected");
  }

  @Test
  void withoutKeysNobodyIsSentToConsent() throws Exception {
    Files.delete(bench.keys);
    refusesToBegin("it is not there");
    assertThat(bench.issuer.seen).isEmpty();
  }
}
