package io.runstone.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.runstone.security.jwt.BadTokens;
import io.runstone.security.jwt.TestIssuer;
import io.runstone.testing.Http;
import io.runstone.testing.McpClient;
import io.runstone.testing.ModernClient;
import io.runstone.testing.Wars;
import jakarta.json.Json;
import jakarta.json.JsonObject;
import java.net.URL;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.RunAsClient;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Acceptance of issue 5: every path and tool with every kind of token, over HTTP. */
@ExtendWith(ArquillianExtension.class)
@RunAsClient
class AuthenticationIT {
  private static final String ALL = "runstone:execute runstone:sessions runstone:files";
  private static final TestIssuer ISSUER = issuer();

  @ArquillianResource private URL base;
  private Http anna;

  private static TestIssuer issuer() {
    try {
      return new TestIssuer();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Deployment(testable = false)
  static WebArchive war() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("runstone.auth", "jwt");
    settings.put("runstone.auth.jwt.issuers", ISSUER.name());
    settings.put("runstone.auth.jwt.resource", "https://runstone.example");
    settings.put("runstone.auth.jwt.keys-cooldown", "PT0.2S");
    return Wars.with(settings);
  }

  @AfterAll
  static void close() {
    ISSUER.close();
  }

  @BeforeEach
  void connect() throws Exception {
    anna = user("anna", ALL);
    anna.stopAll();
  }

  private Http user(String name, String scope) throws Exception {
    return bearer(ISSUER.sign(ISSUER.claims(name, scope)));
  }

  private Http bearer(String token) throws Exception {
    return new Http(base.toURI(), Map.of("Authorization", "Bearer " + token));
  }

  private static List<Paths.Request> everything() {
    return Stream.of(
            Paths.rest(), Paths.nothing(), Paths.mcp(), Paths.modern(), Paths.modernForAll())
        .flatMap(List::stream)
        .toList();
  }

  private static void assertJson(Paths.Request request, Http.Answer answer) {
    assertThat(answer.header("Content-Type")).as("%s", request).startsWith("application/json");
    JsonObject json = answer.json();
    if (request.path().equals("/mcp")) {
      assertThat(json.getString("jsonrpc")).isEqualTo("2.0");
      assertThat(json.getJsonObject("error").getString("message")).isNotBlank();
    } else {
      assertThat(json.getString("error")).isNotBlank();
    }
  }

  @Test
  void nothingButHealthAndMetadataAnswersWithoutAToken() throws Exception {
    Http nobody = new Http(base.toURI(), Map.of());
    for (Paths.Request request : everything()) {
      Http.Answer answer = request.send(nobody);
      assertThat(answer.status()).as("%s", request).isEqualTo(401);
      String own = request.path().equals("/mcp") ? "/mcp" : "";
      assertThat(answer.header("WWW-Authenticate"))
          .isEqualTo(
              "Bearer resource_metadata=\"https://runstone.example/.well-known/"
                  + "oauth-protected-resource%s\", scope=\"%s\"".formatted(own, ALL));
      assertJson(request, answer);
    }
    // The server itself hides this, before any filter.
    assertThat(nobody.send("GET", "/WEB-INF/web.xml", "").status()).isEqualTo(404);
    assertThat(nobody.send("GET", "/health", "").status()).isEqualTo(200);
    for (String path : List.of("", "/mcp")) {
      Http.Answer answer = nobody.send("GET", "/.well-known/oauth-protected-resource" + path, "");
      assertThat(answer.status()).isEqualTo(200);
      JsonObject json = answer.json();
      assertThat(json.getString("resource")).isEqualTo("https://runstone.example" + path);
      assertThat(json.getJsonArray("authorization_servers").getString(0)).isEqualTo(ISSUER.name());
      assertThat(json.getJsonArray("scopes_supported")).hasSize(3);
      assertThat(json.getJsonArray("bearer_methods_supported").getString(0)).isEqualTo("header");
    }
  }

  @Test
  void aWrongTokenIsAnsweredAlikeEverywhere() throws Exception {
    for (Map.Entry<String, String> bad : new BadTokens(ISSUER, ALL).all().entrySet()) {
      if (bad.getKey().equals("too long")) {
        continue; // the server itself refuses such a header
      }
      Http http = bearer(bad.getValue());
      for (Paths.Request request : everything()) {
        Http.Answer answer = request.send(http);
        assertThat(answer.status()).as("%s: %s", bad.getKey(), request).isEqualTo(401);
        assertThat(answer.header("WWW-Authenticate"))
            .startsWith("Bearer error=\"invalid_token\"")
            .contains("resource_metadata=");
        assertThat(answer.text()).doesNotContain("eyJ");
        assertJson(request, answer);
      }
    }
  }

  @Test
  void aForeignOriginIsRefusedBeforeItsToken() throws Exception {
    assertThat(anna.send("GET", "/health", "", "Origin", "https://evil.example").status())
        .isEqualTo(403);
    assertThat(
            new Http(base.toURI(), Map.of())
                .send("POST", "/execute", "{}", "Origin", "https://evil.example")
                .status())
        .isEqualTo(403);
  }

  @Test
  void whatNeedsAScopeIsRefusedWithoutItAndNamesIt() throws Exception {
    List<Paths.Request> needy = new ArrayList<>(Paths.rest());
    needy.addAll(Paths.modern());
    for (Paths.Request request : needy) {
      Http others = user("anna", ALL.replace(request.scope(), "other"));
      Http.Answer answer = request.send(others);
      assertThat(answer.status()).as("%s", request).isEqualTo(403);
      assertThat(answer.header("WWW-Authenticate"))
          .startsWith("Bearer error=\"insufficient_scope\"")
          .contains("scope=\"" + ALL + "\"", "resource_metadata=");
      assertJson(request, answer);
      if (request.path().equals("/mcp")) {
        assertThat(answer.json().getInt("id")).isEqualTo(4711);
      }
      Http.Answer none = request.send(user("anna", ""));
      assertThat(none.status()).isEqualTo(403);
      assertThat(none.header("WWW-Authenticate")).contains("scope=\"" + request.scope() + "\"");
    }
    assertThat(anna.send("GET", "/v1/sessions/session", "").json().getJsonArray("sessions"))
        .isEmpty();
  }

  @Test
  void aSessionOfMcpNeedsTheSameScopes() throws Exception {
    McpClient nothing = McpClient.open(user("anna", ""));
    assertThat(nothing.call("tools/list", JsonObject.EMPTY_JSON_OBJECT).toString())
        .contains("execute_python_code");
    for (Map.Entry<String, String> tool : Paths.TOOLS.entrySet()) {
      Http.Answer answer = nothing.post(message("tools/call", Paths.call(tool.getKey())));
      assertThat(answer.status()).as(tool.getKey()).isEqualTo(403);
      assertThat(answer.json().getString("id")).isEqualTo("seven");
      assertThat(answer.header("WWW-Authenticate"))
          .contains("insufficient_scope", "scope=\"" + tool.getValue() + "\"");
    }
    for (String uri :
        List.of("runstone://sessions", "runstone://files/x", "runstone://executions/0/outputs/0")) {
      for (String method : List.of("resources/read", "resources/subscribe")) {
        assertThat(nothing.post(message(method, McpClient.args("uri", uri))).status())
            .isEqualTo(403);
      }
    }
  }

  private static String message(String method, JsonObject params) {
    return Json.createObjectBuilder()
        .add("jsonrpc", "2.0")
        .add("id", "seven")
        .add("method", method)
        .add("params", params)
        .build()
        .toString();
  }

  @Test
  void aListShowsOnlyWhatMayBeSeen() throws Exception {
    anna.execute("", "open('/app/uploads/seen.txt', 'w').write('x')");
    for (Http http : List.of(user("anna", "runstone:sessions"), user("anna", "runstone:files"))) {
      boolean files = http.send("GET", "/v1/sessions/session", "").status() == 403;
      String modern =
          new ModernClient(http).call("resources/list", JsonObject.EMPTY_JSON_OBJECT).toString();
      String legacy =
          McpClient.open(http).call("resources/list", JsonObject.EMPTY_JSON_OBJECT).toString();
      for (String list : List.of(modern, legacy)) {
        assertThat(list.contains("runstone://files/seen.txt")).isEqualTo(files);
        assertThat(list.contains("runstone://sessions")).isEqualTo(!files);
        assertThat(list).doesNotContain("runstone://executions");
      }
    }
  }

  @Test
  void aRightTokenGetsWhatItAsksFor() throws Exception {
    for (Paths.Request request : everything()) {
      int status = request.send(anna).status();
      assertThat(status).as("%s", request).isNotIn(401, 403, 500, 503);
    }
    assertThat(anna.execute("", "6 * 7").getString("stdout")).isEqualTo("42\n");
    assertThat(McpClient.text(McpClient.open(anna).execute("", "6 * 7"))).isEqualTo("42\n");
    assertThat(
            new ModernClient(anna)
                .call("tools/call", ModernClient.execution("", "6 * 7"))
                .toString())
        .contains("42");
  }

  @Test
  void whatBelongsToAnotherIsUnknown() throws Exception {
    Http bert = user("bert", ALL);
    anna.start("secret");
    McpClient annas = McpClient.open(anna);
    for (List<String> request :
        List.of(
            List.of("GET", "/v1/sessions/session?session_id=%s", ""),
            List.of("DELETE", "/v1/sessions/session?session_id=%s", ""),
            List.of("POST", "/v1/sessions/session/interrupt", "{\"session_id\":\"%s\"}"),
            List.of("POST", "/v1/sessions/session/restart", "{\"session_id\":\"%s\"}"),
            List.of("POST", "/execute", "{\"code\":\"1\",\"session_id\":\"%s\"}"))) {
      Http.Answer others = send(bert, request, "secret");
      Http.Answer absent = send(bert, request, "absent");
      assertThat(others.status()).isEqualTo(404);
      assertThat(others.text()).isEqualTo(absent.text());
    }
    String ping = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
    assertThat(
            bert.send(
                    "POST",
                    "/mcp",
                    ping,
                    "Accept",
                    McpClient.ACCEPT,
                    "Mcp-Session-Id",
                    annas.session())
                .status())
        .isEqualTo(404);
    assertThat(anna.execute("secret", "1").getString("stdout")).isEqualTo("1\n");
  }

  private static Http.Answer send(Http http, List<String> request, String id) throws Exception {
    return http.send(request.get(0), request.get(1).formatted(id), request.get(2).formatted(id));
  }

  @Test
  void keysRotateAndOutliveTheIssuer() throws Exception {
    Http old = user("anna", ALL);
    assertThat(old.send("GET", "/v1/sessions/session", "").status()).isEqualTo(200);
    ISSUER.rotate();
    Http now = user("anna", ALL);
    long deadline = System.nanoTime() + 5_000_000_000L;
    while (now.send("GET", "/v1/sessions/session", "").status() == 401) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      Thread.onSpinWait(); // the cooldown is 0.2 s
    }
    assertThat(now.send("GET", "/v1/sessions/session", "").status()).isEqualTo(200);
    assertThat(old.send("GET", "/v1/sessions/session", "").status()).isEqualTo(401);
    for (TestIssuer.Mood mood : TestIssuer.Mood.values()) {
      ISSUER.be(mood);
      assertThat(now.send("GET", "/v1/sessions/session", "").status()).isEqualTo(200);
    }
    ISSUER.be(TestIssuer.Mood.GOOD);
  }
}
