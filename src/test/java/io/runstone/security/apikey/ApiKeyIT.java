package io.runstone.security.apikey;

import static org.assertj.core.api.Assertions.assertThat;

import io.runstone.testing.Http;
import io.runstone.testing.McpClient;
import io.runstone.testing.Wars;
import jakarta.json.JsonValue;
import java.io.IOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.RunAsClient;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Keys in a running server, minted and revoked by the administrator's program. */
@ExtendWith(ArquillianExtension.class)
@RunAsClient
class ApiKeyIT {
  private static final String SESSION = "/v1/sessions/session";
  private static final Path FILE = file();

  @ArquillianResource private URL base;

  private static Path file() {
    try {
      return Files.createTempDirectory("keys").resolve("api-keys");
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Deployment(testable = false)
  static WebArchive war() {
    return Wars.with(
        Map.of(
            "runstone.auth",
            "api-key",
            "runstone.auth.api-keys-file",
            FILE.toString(),
            "runstone.quota.requests-per-second",
            "40"));
  }

  private static String run(String... command) throws Exception {
    List<String> line = new ArrayList<>(List.of("java", "server-config/ApiKeys.java"));
    line.add(FILE.toString());
    line.addAll(List.of(command));
    Process process =
        new ProcessBuilder(line).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).isZero();
    return out.strip();
  }

  private Http with(String header, String value) throws Exception {
    return new Http(base.toURI(), Map.of(header, value));
  }

  @Test
  void aKeyWorksFromWhenItIsMintedUntilItIsRevoked() throws Exception {
    Http nobody = new Http(base.toURI(), Map.of());
    assertThat(nobody.send("GET", SESSION, "").status()).isEqualTo(401);
    assertThat(nobody.send("GET", "/health", "").status()).isEqualTo(200);

    String annas = run("mint", "anna");
    String berts = run("mint", "bert", "sessions");
    Http anna = with("X-API-Key", annas);
    assertThat(anna.execute("", "6 * 7").getString("stdout")).isEqualTo("42\n");
    assertThat(
            McpClient.text(
                McpClient.open(with("Authorization", "Bearer " + annas)).execute("", "6 * 7")))
        .isEqualTo("42\n");
    anna.start("secret");
    Http bert = with("Authorization", "Bearer " + berts);
    assertThat(bert.send("GET", SESSION + "?session_id=secret", "").status()).isEqualTo(404);
    assertThat(bert.send("POST", "/execute", Http.order("", "1")).status()).isEqualTo(403);
    anna.stopAll();

    run("revoke", annas.substring(4, 16));
    Http.Answer refused = anna.send("GET", SESSION, "");
    assertThat(refused.status()).isEqualTo(401);
    assertThat(refused.header("WWW-Authenticate")).contains("invalid_token");
    assertThat(refused.text()).doesNotContain(annas);
    assertThat(bert.send("GET", SESSION, "").status()).isEqualTo(200);
  }

  @Test
  void whoSendsTooManyRequestsIsToldSoAndNobodyElse() throws Exception {
    Http dora = with("X-API-Key", run("mint", "dora"));
    Http emil = with("X-API-Key", run("mint", "emil"));
    McpClient tools = McpClient.open(dora);
    ExecutorService together = Executors.newFixedThreadPool(8);
    try {
      List<Future<Http.Answer>> flood = new ArrayList<>();
      for (int i = 0; i < 400; i++) {
        flood.add(together.submit(() -> dora.send("GET", SESSION, "")));
      }
      assertThat(emil.send("GET", SESSION, "").status()).isEqualTo(200);
      List<Http.Answer> refused = new ArrayList<>();
      for (Future<Http.Answer> each : flood) {
        if (each.get().status() != 200) {
          refused.add(each.get());
        }
      }
      assertThat(refused).hasSizeGreaterThan(100);
      assertThat(refused)
          .allSatisfy(
              answer -> {
                assertThat(answer.status()).isEqualTo(429);
                assertThat(answer.header("Retry-After")).isEqualTo("1");
                assertThat(answer.json().getString("detail")).contains("40 requests a second");
              });
      List<Future<String>> calls = new ArrayList<>();
      for (int i = 0; i < 120; i++) {
        calls.add(
            together.submit(
                () -> tools.tool("list_python_sessions", JsonValue.EMPTY_JSON_OBJECT).toString()));
      }
      List<String> results = new ArrayList<>();
      for (Future<String> each : calls) {
        results.add(each.get());
      }
      assertThat(results)
          .anyMatch(result -> result.contains("\"isError\":true") && result.contains("a second"));
    } finally {
      together.shutdown();
    }
    assertThat(emil.send("GET", SESSION, "").status()).isEqualTo(200);
  }

  @Test
  void anAdministratorDrainsTheServerAndNobodyElseDoes() throws Exception {
    Http user = with("X-API-Key", run("mint", "carl"));
    Http admin = with("X-API-Key", run("mint", "root", "admin"));
    assertThat(user.send("POST", "/v1/admin/suspend", "{}").status()).isEqualTo(403);
    assertThat(admin.send("POST", "/v1/admin/suspend", "{\"timeout\":-1}").status()).isEqualTo(400);
    assertThat(admin.send("POST", "/v1/admin/suspend", "{\"timeout\":1}").status()).isEqualTo(200);
    try {
      assertThat(user.send("POST", "/execute", Http.order("", "1")).status()).isEqualTo(503);
      assertThat(user.send("POST", SESSION, "{}").status()).isEqualTo(503);
      assertThat(user.send("GET", "/health", "").status()).isEqualTo(503);
      assertThat(user.send("GET", "/health/ready", "").status()).isEqualTo(503);
      assertThat(user.send("GET", "/health/live", "").status()).isEqualTo(200);
      assertThat(user.send("GET", "/health/started", "").status()).isEqualTo(200);
    } finally {
      admin.send("POST", "/v1/admin/resume", "{}");
    }
    assertThat(user.execute("", "6 * 7").getString("stdout")).isEqualTo("42\n");
    assertThat(user.send("GET", "/health/ready", "").status()).isEqualTo(200);
  }
}
