package io.runstone.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.runstone.testing.AuthorizationServer;
import io.runstone.testing.Http;
import io.runstone.testing.Wars;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.RunAsClient;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The pages in a running server, with two users who have keys. */
@ExtendWith(ArquillianExtension.class)
@RunAsClient
class ConnectionsIT {
  private static final Path DIRECTORY = directory();
  private static final AuthorizationServer ISSUER = issuer();

  @ArquillianResource private URL base;

  private PageClient anna;
  private PageClient ben;
  private String annasKey;

  private static Path directory() {
    try {
      return Files.createTempDirectory("connections");
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static AuthorizationServer issuer() {
    try {
      return new AuthorizationServer();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Deployment(testable = false)
  static WebArchive war() throws Exception {
    run("UpstreamKeys.java", "upstream-keys", "add");
    Files.writeString(
        DIRECTORY.resolve("servers.json"),
        """
        {"servers": {"crm": {"url": "%s", "title": "The crm <of> tests",
          "login": {"type": "oauth"}}}}
        """
            .formatted(ISSUER.mcp()));
    return Wars.with(
        Map.of(
            "runstone.auth", "api-key",
            "runstone.auth.api-keys-file", DIRECTORY.resolve("api-keys").toString(),
            "runstone.base-url", "http://localhost:8222",
            "runstone.upstream.file", DIRECTORY.resolve("servers.json").toString(),
            "runstone.upstream.keys-file", DIRECTORY.resolve("upstream-keys").toString()));
  }

  @AfterAll
  static void end() {
    ISSUER.close();
  }

  private static String run(String program, String file, String... command) throws Exception {
    List<String> line = new ArrayList<>(List.of("java", "server-config/" + program));
    line.add(DIRECTORY.resolve(file).toString());
    line.addAll(List.of(command));
    Process process =
        new ProcessBuilder(line).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try (InputStream in = process.getInputStream()) {
      String out = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor()).isZero();
      return out.strip();
    }
  }

  @BeforeEach
  void logIn() throws Exception {
    URI uri = base.toURI();
    annasKey = run("ApiKeys.java", "api-keys", "mint", "anna", "upstream:crm,execute");
    anna = new PageClient(uri);
    ben = new PageClient(uri);
    assertThat(anna.logIn(annasKey).status()).isEqualTo(303);
    assertThat(ben.logIn(run("ApiKeys.java", "api-keys", "mint", "ben")).status()).isEqualTo(303);
  }

  private URI connect(PageClient who) throws Exception {
    Http.Answer page = who.press("/connections/connect", "crm", who.csrf());
    assertThat(page.status()).isEqualTo(200);
    return PageClient.leave(page);
  }

  private static String callback(Map<String, String> answer) {
    return "/connections/callback?" + PageClient.encoded(answer);
  }

  @Test
  void anAdministratorSeesAndRefreshesAndRevokesAndNobodyElseDoes() throws Exception {
    String path = "/v1/admin/upstream";
    Http user = new Http(base.toURI(), Map.of("X-API-Key", annasKey));
    for (String what : List.of("/refresh", "/revoke")) {
      assertThat(user.send("POST", path + what, "{\"server\":\"crm\"}").status()).isEqualTo(403);
    }
    assertThat(user.send("GET", path, "").status()).isEqualTo(403);
    Http admin =
        new Http(
            base.toURI(),
            Map.of("X-API-Key", run("ApiKeys.java", "api-keys", "mint", "root", "admin")));
    Http.Answer shown = admin.send("GET", path, "");
    assertThat(shown.json().getJsonArray("servers").getJsonObject(0).getString("name"))
        .isEqualTo("crm");
    assertThat(shown.json().getString("trouble")).isEmpty();
    assertThat(admin.send("POST", path + "/refresh", "{}").status()).isEqualTo(200);
    Http.Answer revoked = admin.send("POST", path + "/revoke", "{\"server\":\"crm\"}");
    assertThat(revoked.json().getInt("ended")).isZero();
    assertThat(admin.send("POST", path + "/revoke", "{\"server\":\"*\"}").status()).isEqualTo(400);
  }

  @Test
  void aUserConnectsAndDisconnectsAServer() throws Exception {
    PageClient fresh = new PageClient(base.toURI());
    Http.Answer first = fresh.get("/connections?server=crm");
    assertThat(first.status()).isEqualTo(303);
    assertThat(first.header("Location")).isEqualTo("/connections/login?server=crm");
    assertThat(fresh.get("/connections/login?server=crm").text()).contains("Your API key");
    Http.Answer wrong = fresh.logIn("rsk_wrong");
    assertThat(wrong.status()).isEqualTo(403);
    assertThat(wrong.text()).contains("not one of this server").doesNotContain("rsk_wrong");
    assertThat(wrong.header("Set-Cookie")).isEmpty();

    Http.Answer list = anna.get("/connections?server=crm");
    assertThat(list.status()).isEqualTo(200);
    assertThat(list.text()).contains("You are anna", "Not connected", "The crm &lt;of&gt; tests");
    assertThat(list.header("Content-Security-Policy")).isEqualTo(Html.POLICY);
    assertThat(list.header("Cache-Control")).isEqualTo("no-store");
    assertThat(list.header("Referrer-Policy")).isEqualTo("same-origin");

    Http.Answer back = anna.get(callback(ISSUER.consent(connect(anna), "anna")));
    assertThat(back.status()).isEqualTo(303);
    assertThat(back.header("Location")).isEqualTo("/connections?server=crm");
    assertThat(anna.get("/connections").text()).contains("Connected.");
    assertThat(ben.get("/connections").text()).contains("Not connected.");

    long revoked = ISSUER.count("revoke");
    assertThat(anna.press("/connections/disconnect", "crm", anna.csrf()).status()).isEqualTo(303);
    assertThat(ISSUER.count("revoke")).isEqualTo(revoked + 2);
    assertThat(anna.get("/connections").text()).contains("Not connected.");

    assertThat(anna.press("/connections/logout", "", anna.csrf()).status()).isEqualTo(303);
    assertThat(anna.get("/connections").status()).isEqualTo(303);
  }

  @Test
  void anAnswerOfAnotherUserOrBrowserConnectsNothing() throws Exception {
    Map<String, String> mallorys = ISSUER.consent(connect(ben), "mallory");
    Http.Answer refused = anna.get(callback(mallorys));
    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.text()).contains("another user or another browser");
    assertThat(ben.get(callback(mallorys)).text()).contains("was used before");

    PageClient herOther = new PageClient(base.toURI());
    herOther.logIn(annasKey);
    assertThat(herOther.get(callback(ISSUER.consent(connect(anna), "anna"))).status())
        .isEqualTo(403);
    PageClient nobody = new PageClient(base.toURI());
    assertThat(nobody.get(callback(ISSUER.consent(connect(anna), "anna"))).text())
        .contains("not logged in");
    assertThat(anna.get("/connections").text()).contains("Not connected.");
  }

  @Test
  void onlyAPageOfTheSessionChangesAnything() throws Exception {
    for (String path : List.of("connect", "disconnect", "logout")) {
      for (String csrf : List.of("", "x", ben.csrf())) {
        assertThat(anna.press("/connections/" + path, "crm", csrf).status()).isEqualTo(403);
      }
      assertThat(
              anna.post(
                      "/connections/" + path,
                      Map.of("csrf", anna.csrf(), "server", "crm"),
                      "Origin",
                      "https://evil.example")
                  .status())
          .isEqualTo(403);
    }
    assertThat(anna.press("/connections/connect", "other", anna.csrf()).text())
        .contains("no such server");
    assertThat(
            anna.post(
                    "/connections/connect",
                    Map.of("csrf", anna.csrf(), "server", "crm"),
                    "Origin",
                    "http://localhost:8222")
                .status())
        .isEqualTo(200);
  }

  @Test
  void aCookieIsNoLoginToTheApi() throws Exception {
    String cookie = anna.cookie();
    Http http = new Http(base.toURI(), Map.of("Cookie", cookie));
    for (String path :
        List.of(
            "/v1/sessions/session",
            "/connections/../v1/sessions/session",
            "/connections;a=b",
            "/connections/x")) {
      assertThat(http.send("GET", path, "").status()).as(path).isEqualTo(401);
    }
    assertThat(http.send("POST", "/execute", Http.order("", "1")).status()).isEqualTo(401);
    assertThat(http.send("POST", "/mcp", "{}").status()).isEqualTo(401);
    Http key = new Http(base.toURI(), Map.of("X-API-Key", annasKey));
    assertThat(key.send("GET", "/connections", "").status()).isEqualTo(303);
  }
}
