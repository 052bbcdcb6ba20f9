package io.runstone.security.login;

import static org.assertj.core.api.Assertions.assertThat;

import io.runstone.testing.Http;
import io.runstone.testing.McpClient;
import io.runstone.testing.Wars;
import java.net.URL;
import java.util.Map;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.RunAsClient;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The server's own login, here a mechanism of Jakarta Security. */
@ExtendWith(ArquillianExtension.class)
@RunAsClient
class ContainerLoginIT {
  private static final String SESSION = "/v1/sessions/session";
  private static final String ALL = "runstone:execute runstone:sessions runstone:files";

  @ArquillianResource private URL base;

  @Deployment(testable = false)
  static WebArchive war() {
    return Wars.with(Map.of("runstone.auth", "container")).addClass(HeaderMechanism.class);
  }

  private Http user(String login) throws Exception {
    return new Http(base.toURI(), Map.of("X-Test-Login", login));
  }

  @Test
  void nobodyGetsInWithoutALogin() throws Exception {
    Http nobody = new Http(base.toURI(), Map.of());
    for (String path : new String[] {"/execute", SESSION, "/mcp", "/metrics", "/nothing"}) {
      assertThat(nobody.send("POST", path, "{}").status()).as(path).isEqualTo(401);
    }
    assertThat(nobody.send("GET", "/health", "").status()).isEqualTo(200);
    assertThat(nobody.send("GET", "/.well-known/oauth-protected-resource", "").status())
        .isEqualTo(404);
  }

  @Test
  void rolesAreScopes() throws Exception {
    Http anna = user("anna " + ALL);
    assertThat(anna.execute("", "6 * 7").getString("stdout")).isEqualTo("42\n");
    assertThat(McpClient.text(McpClient.open(anna).execute("", "6 * 7"))).isEqualTo("42\n");
    Http reader = user("anna runstone:sessions other");
    assertThat(reader.send("GET", SESSION, "").status()).isEqualTo(200);
    Http.Answer refused = reader.send("POST", "/execute", Http.order("", "1"));
    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.error()).contains("runstone:execute");
  }

  @Test
  void usersAreApart() throws Exception {
    Http anna = user("anna " + ALL);
    anna.start("secret");
    assertThat(user("bert " + ALL).send("GET", SESSION + "?session_id=secret", "").status())
        .isEqualTo(404);
    anna.stopAll();
  }
}
