package io.runstone.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.runstone.testing.Http;
import io.runstone.testing.McpClient;
import io.runstone.testing.Wars;
import jakarta.json.JsonValue;
import java.net.URL;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.RunAsClient;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Two users of one server: what one has does not exist for the other. */
@ExtendWith(ArquillianExtension.class)
@RunAsClient
class SeveralUsersIT {
  private static final String SESSION = "/v1/sessions/session";

  @ArquillianResource private URL base;
  private Http anna;
  private Http bert;

  @Deployment(testable = false)
  static WebArchive war() {
    return Wars.built().addClass(HeaderCaller.class);
  }

  @BeforeEach
  void connect() throws Exception {
    anna = new Http(base.toURI(), Map.of("X-Test-User", "anna"));
    bert = new Http(base.toURI(), Map.of("X-Test-User", "bert"));
  }

  @AfterEach
  void stopAll() throws Exception {
    anna.stopAll();
    bert.stopAll();
  }

  private static String unknown(Http.Answer answer) {
    assertThat(answer.status()).isEqualTo(404);
    return answer.text();
  }

  @Test
  void anothersSessionIsAnsweredLikeAnUnknownOne() throws Exception {
    anna.start("secret");
    for (List<String> request :
        List.of(
            List.of("GET", SESSION + "?session_id=%s", ""),
            List.of("DELETE", SESSION + "?session_id=%s", ""),
            List.of("POST", "/execute", "{\"code\":\"1\",\"session_id\":\"%s\"}"))) {
      String path = request.get(1);
      String body = request.get(2);
      String others =
          unknown(bert.send(request.get(0), path.formatted("secret"), body.formatted("secret")));
      String nobodys =
          unknown(bert.send(request.get(0), path.formatted("absent"), body.formatted("absent")));
      assertThat(others).isEqualTo(nobodys);
    }
    assertThat(bert.send("GET", SESSION, "").json().getJsonArray("sessions")).isEmpty();
    assertThat(anna.send("GET", SESSION, "").json().getJsonArray("sessions")).hasSize(1);
  }

  @Test
  void bothCanHaveASessionOfTheSameName() throws Exception {
    anna.start("same");
    bert.start("same");
    anna.execute("same", "v = 'anna'");
    bert.execute("same", "v = 'bert'");
    assertThat(anna.execute("same", "v").getString("stdout")).isEqualTo("'anna'\n");
    assertThat(bert.execute("same", "v").getString("stdout")).isEqualTo("'bert'\n");
  }

  @Test
  void limitsCountForEachUser() throws Exception {
    for (int i = 0; i < 5; i++) {
      anna.start("s" + i);
    }
    assertThat(anna.send("POST", SESSION, "{}").status()).isEqualTo(503);
    bert.start("s0");
  }

  @Test
  void workspacesAreApart() throws Exception {
    anna.execute("", "open('/app/uploads/mine', 'w').write('secret')");
    assertThat(bert.execute("", "import os; os.listdir('/app/uploads')").getString("stdout"))
        .doesNotContain("mine");
    assertThat(
            bert.execute("", "import subprocess; subprocess.getoutput('find / -name mine 2>&1')")
                .getString("stdout"))
        .doesNotContain("mine");
    assertThat(anna.execute("", "open('/app/uploads/mine').read()").getString("stdout"))
        .isEqualTo("'secret'\n");
  }

  @Test
  void anothersMcpSessionIsAnsweredLikeAnUnknownOne() throws Exception {
    McpClient annas = McpClient.open(anna);
    annas.execute("", "hidden = 1");
    String ping = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
    String[] theirs = {"Accept", McpClient.ACCEPT, "Mcp-Session-Id", annas.session()};
    String[] nobodys = {"Accept", McpClient.ACCEPT, "Mcp-Session-Id", "absent"};
    for (String method : List.of("POST", "GET", "DELETE")) {
      String body = method.equals("POST") ? ping : "";
      assertThat(unknown(bert.send(method, "/mcp", body, theirs)))
          .isEqualTo(unknown(bert.send(method, "/mcp", body, nobodys)));
    }
    assertThat(McpClient.text(annas.execute("", "hidden"))).isEqualTo("1\n");
    McpClient berts = McpClient.open(bert);
    assertThat(McpClient.ids(berts.tool("list_python_sessions", JsonValue.EMPTY_JSON_OBJECT)))
        .isEmpty();
    annas.delete();
    berts.delete();
  }

  @Test
  @Timeout(120)
  void ofTwoUsersWhoDoTheSameAtOnceNeitherEverSeesTheOther() throws Exception {
    TwoUsersLoad annas = new TwoUsersLoad(anna, "anna-7c1f", "bert-93ae");
    TwoUsersLoad berts = new TwoUsersLoad(bert, "bert-93ae", "anna-7c1f");
    annas.prepare();
    berts.prepare();
    CompletableFuture<Void> both =
        CompletableFuture.allOf(
            CompletableFuture.runAsync(() -> rounds(annas)),
            CompletableFuture.runAsync(() -> rounds(berts)));
    both.get(100, TimeUnit.SECONDS);
    String path = annas.outputPath();
    assertThat(anna.send("GET", path, "").status()).isEqualTo(200);
    assertThat(unknown(bert.send("GET", path, "")))
        .isEqualTo(unknown(bert.send("GET", path.replaceAll("[0-9a-f]{4}", "0000"), "")));
    annas.end();
    berts.end();
  }

  /** Seven requests a round: 1,050 of both. */
  private static void rounds(TwoUsersLoad load) {
    try {
      for (int i = 0; i < 75; i++) {
        load.round(i);
      }
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
