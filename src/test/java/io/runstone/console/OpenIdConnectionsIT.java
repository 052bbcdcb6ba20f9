package io.runstone.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import io.runstone.security.jwt.TestIssuer;
import io.runstone.testing.AuthorizationServer;
import io.runstone.testing.Http;
import io.runstone.testing.Wars;
import jakarta.json.Json;
import java.io.IOException;
import java.io.StringReader;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Date;
import java.util.Map;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.RunAsClient;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The pages in a running server whose users log in at an issuer. */
@ExtendWith(ArquillianExtension.class)
@RunAsClient
class OpenIdConnectionsIT {
  private static final RSAKey KEY = key();
  private static final AuthorizationServer ISSUER = issuer();

  @ArquillianResource private URL base;

  private static RSAKey key() {
    try {
      return new RSAKeyGenerator(2048).keyID("k").generate();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  private static AuthorizationServer issuer() {
    try {
      AuthorizationServer server = new AuthorizationServer();
      String keys = new JWKSet(KEY).toString();
      server.on(
          "/keys",
          exchange ->
              AuthorizationServer.send(
                  exchange, 200, Json.createReader(new StringReader(keys)).readObject()));
      server.say("jwks_uri", server.issuer() + "/keys");
      server.idTokens = asked -> sign(server, asked);
      return server;
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String sign(AuthorizationServer server, Map<String, String> asked) {
    try {
      return TestIssuer.sign(
          KEY,
          JOSEObjectType.JWT,
          new JWTClaimsSet.Builder()
              .issuer(server.issuer())
              .subject(asked.get("user"))
              .audience("page")
              .claim("nonce", asked.get("nonce"))
              .expirationTime(Date.from(Instant.now().plusSeconds(300))));
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  @Deployment(testable = false)
  static WebArchive war() throws Exception {
    Path servers = Files.createTempFile("servers", ".json");
    Files.writeString(
        servers,
        """
        {"servers": {"crm": {"url": "%s", "login": {"type": "oauth"}}}}
        """
            .formatted(ISSUER.mcp()));
    return Wars.with(
        Map.of(
            "runstone.auth", "jwt",
            "runstone.auth.jwt.issuers", ISSUER.issuer(),
            "runstone.auth.jwt.login-client-id", "page",
            "runstone.base-url", "http://localhost:8222",
            "runstone.upstream.file", servers.toString()));
  }

  @AfterAll
  static void end() {
    ISSUER.close();
  }

  private static Http.Answer logIn(PageClient browser, String user) throws Exception {
    Http.Answer away = browser.get("/connections/login?server=crm");
    assertThat(away.status()).isEqualTo(303);
    URI link = URI.create(away.header("Location"));
    return browser.get(
        "/connections/login/callback?" + PageClient.encoded(ISSUER.consent(link, user)));
  }

  @Test
  void aBrowserLogsInAtTheIssuer() throws Exception {
    PageClient anna = new PageClient(base.toURI());
    assertThat(anna.get("/connections?server=crm").header("Location"))
        .isEqualTo("/connections/login?server=crm");
    Http.Answer back = logIn(anna, "anna");
    assertThat(back.status()).isEqualTo(303);
    assertThat(back.header("Location")).isEqualTo("/connections?server=crm");
    assertThat(anna.get("/connections?server=crm").text()).contains("You are anna", "crm (crm)");
    assertThat(anna.press("/connections/connect", "crm", anna.csrf()).text())
        .contains("Tokens can&#39;t be kept", "runstone.upstream.keys-file");
  }

  @Test
  void aLoginOfAnotherBrowserIsNone() throws Exception {
    PageClient mallory = new PageClient(base.toURI());
    URI link = URI.create(mallory.get("/connections/login").header("Location"));
    PageClient anna = new PageClient(base.toURI());
    anna.get("/connections/login");
    Http.Answer refused =
        anna.get(
            "/connections/login/callback?" + PageClient.encoded(ISSUER.consent(link, "mallory")));
    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.text()).contains("not begun in this browser");
    assertThat(anna.get("/connections").status()).isEqualTo(303);
  }

  @Test
  void aTokenOfTheApiIsNoLoginHere() throws Exception {
    Http http = new Http(base.toURI(), Map.of("Authorization", "Bearer x"));
    assertThat(http.send("GET", "/connections", "").status()).isEqualTo(303);
    assertThat(http.send("POST", "/connections/login", "").status()).isEqualTo(405);
    assertThat(http.send("HEAD", "/connections/login/callback", "").status()).isEqualTo(405);
  }
}
