package io.runstone.security.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.runstone.security.Sha256;
import io.runstone.testing.Http;
import io.runstone.testing.McpClient;
import io.runstone.testing.Wars;
import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.json.JsonReader;
import java.io.StringReader;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.RunAsClient;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the server writes about requests over both surfaces, and what it never writes. */
@ExtendWith(ArquillianExtension.class)
@RunAsClient
class AuditIT {
  private static final Path DIRECTORY =
      Path.of(System.getProperty("java.io.tmpdir"), "data", "audit");

  @ArquillianResource private URL base;
  private Http http;

  /** In the code, the output, an error and a header; it may be nowhere in the log. */
  private final String canary = "canary" + UUID.randomUUID().toString().replace("-", "");

  private final String session = "audit-" + UUID.randomUUID();

  @Deployment
  static WebArchive war() {
    return Wars.built();
  }

  @BeforeEach
  void connect() throws Exception {
    http =
        new Http(
            base.toURI(), Map.of("Authorization", "Bearer " + canary, "X-API-Key", canary + "k"));
  }

  private static JsonObject parse(String line) {
    try (JsonReader reader = Json.createReader(new StringReader(line))) {
      return reader.readObject();
    }
  }

  private List<JsonObject> lines() throws Exception {
    return Files.readAllLines(DIRECTORY.resolve("audit.log")).stream()
        .map(AuditIT::parse)
        .filter(line -> line.getString("session", "").equals(session))
        .toList();
  }

  /** The last line about a request is written at the same time as its answer. */
  private List<JsonObject> lines(int count) throws Exception {
    List<JsonObject> lines = lines();
    for (int i = 0; i < 100 && lines.size() < count; i++) {
      http.send("GET", "/health", ""); // another process writes them, give it time
      lines = lines();
    }
    return lines;
  }

  @Test
  void whatIsDoneOverBothSurfacesIsInTheLog() throws Exception {
    http.start(session);
    String code = "print('" + canary + "'); None";
    JsonObject rest = http.execute(session, code);
    McpClient mcp = McpClient.open(http);
    mcp.execute(session, "raise ValueError('" + canary + "')");
    mcp.execute(session, "def " + canary + "(:");
    mcp.tool("interrupt_python_session", McpClient.args("session_id", session));
    mcp.tool("stop_python_session", McpClient.args("session_id", session));
    http.send("POST", "/execute", Http.order(session, code));
    mcp.delete();
    List<JsonObject> lines = lines(10);
    assertThat(lines)
        .extracting(line -> line.getString("action") + " " + line.getString("outcome"))
        .containsExactly(
            "start ok",
            "execute accepted",
            "execute ok",
            "execute accepted",
            "execute error",
            "execute accepted",
            "execute error",
            "interrupt nothing_ran",
            "stop ok",
            "execute refused");
    assertThat(lines)
        .allSatisfy(
            line -> {
              assertThat(line.getString("user")).isEqualTo("anonymous");
              assertThat(line.getString("address")).isIn("127.0.0.1", "0:0:0:0:0:0:0:1");
              assertThat(line.getString("time")).matches("\\d{4}-.*T.*\\.\\d{3}Z");
            });
    JsonObject ended = lines.get(2);
    assertThat(ended.getString("execution")).isEqualTo(rest.getString("execution_id"));
    assertThat(ended.getString("code_sha256")).isEqualTo(Sha256.hex(code));
    assertThat(ended.getInt("bytes")).isEqualTo(canary.length() + 1);
    assertThat(lines.get(9).getString("reason")).isEqualTo("unknown");
    String text = Files.readString(DIRECTORY.resolve("audit.log"));
    assertThat(text).doesNotContain(canary).doesNotContain(mcp.session());
    Verifier.Answer answer = new Verifier().check(DIRECTORY);
    assertThat(answer.text()).contains("lines are as they were written");
    assertThat(answer.code()).isZero();
    assertThat(http.send("GET", "/health", "").json().getString("audit")).isEqualTo("ok");
  }
}
