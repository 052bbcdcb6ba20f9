package io.runstone.upstream.declared;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.modelcontextprotocol.json.schema.jackson3.DefaultJsonSchemaValidator;
import io.runstone.upstream.ServerName;
import io.runstone.upstream.UpstreamServer;
import io.runstone.upstream.UpstreamServer.Login;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

class ServersFileTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final JsonMapper JSON = new JsonMapper();
  private static final String ALL =
      """
      {"servers": {
        "crm": {"url": "https://crm.example/mcp", "title": "CRM", "description": "Customers.",
          "login": {"type": "oauth", "issuer": "https://id.example", "client-id": "runstone",
            "client-secret-file": "/etc/crm", "scopes": ["read"]},
          "stateless": true, "tools": {"allow": ["a"], "deny": ["b"]}, "timeout": "PT5S",
          "trust": "/etc/ca.pem"},
        "docs": {"url": "http://127.0.0.1:9/mcp"},
        "erp": {"url": "https://erp.example/mcp", "login": {"type": "exchange",
          "token-endpoint": "https://id.example/token", "audience": "erp", "client-id": "r"}},
        "jira": {"url": "https://jira.example/mcp",
          "login": {"type": "static", "secret-file": "/etc/jira"}}}}
      """;

  @TempDir Path directory;

  private static List<UpstreamServer> read(String text) throws BadDeclarationException {
    return ServersJson.read(text.getBytes(StandardCharsets.UTF_8), MINUTE);
  }

  @Test
  void readsEverything() throws Exception {
    List<UpstreamServer> servers = read(ALL);
    assertThat(servers)
        .extracting(server -> server.name().value())
        .containsExactly("crm", "docs", "erp", "jira");
    UpstreamServer crm = servers.get(0);
    assertThat(crm.login())
        .isEqualTo(
            new Login.OAuth(
                Optional.of(URI.create("https://id.example")),
                Optional.of("runstone"),
                Optional.of(Path.of("/etc/crm")),
                List.of("read")));
    assertThat(crm.stateless()).isTrue();
    assertThat(crm.tools().permits("a")).isTrue();
    assertThat(crm.tools().permits("b")).isFalse();
    assertThat(crm.tools().permits("c")).isFalse();
    assertThat(crm.timeout()).isEqualTo(Duration.ofSeconds(5));
    assertThat(crm.trust()).contains(Path.of("/etc/ca.pem"));
    UpstreamServer docs = servers.get(1);
    assertThat(docs.login()).isEqualTo(new Login.None());
    assertThat(docs.title()).isEqualTo("docs");
    assertThat(docs.timeout()).isEqualTo(MINUTE);
    assertThat(docs.tools().permits("anything")).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[] | the file: expected an object",
        "{\"servers\": | the file: is not JSON, in line 1",
        "{} | /servers: is missing",
        "{\"servers\": {}, \"server\": 1} | /server: is not known",
        "{\"servers\": {\"a/b\": {}}} | /servers/a~1b: a server's name is 1 to 32",
        "{\"servers\": {\"Crm\": {}}} | /servers/Crm: a server's name",
        "{\"servers\": {\"import\": {}}} | /servers/import: a server's name",
        "{\"servers\": {\"a\": {}}} | /servers/a/url: is missing",
        "{\"servers\": {\"a\": {\"url\": \"http://a.example\"}}} | /servers/a/url: expected a URL with https",
        "{\"servers\": {\"a\": {\"url\": \"ftp://localhost\"}}} | /servers/a/url: expected a URL with https",
        "{\"servers\": {\"a\": {\"url\": \"https://u:p@a.example\"}}} | /servers/a/url: expected a URL without",
        "{\"servers\": {\"a\": {\"url\": \"https://a\", \"urll\": 1}}} | /servers/a/urll: is not known; known are",
        "{\"servers\": {\"a\": {\"url\": \"https://a\", \"timeout\": \"5s\"}}} | /servers/a/timeout: expected a duration",
        "{\"servers\": {\"a\": {\"url\": \"https://a\", \"timeout\": \"PT0S\"}}} | /servers/a/timeout: expected a duration",
        "{\"servers\": {\"a\": {\"url\": \"https://a\", \"stateless\": 1}}} | /servers/a/stateless: expected true or false",
        "{\"servers\": {\"a\": {\"url\": \"https://a\", \"trust\": \"ca.pem\"}}} | /servers/a/trust: expected an absolute path",
        "{\"servers\": {\"a\": {\"url\": \"https://a\", \"tools\": {\"allow\": \"x\"}}}} | /servers/a/tools/allow: expected a list",
        "{\"servers\": {\"a\": {\"url\": \"https://a\", \"login\": {\"type\": \"basic\"}}}} | /servers/a/login/type: expected none, static",
        "{\"servers\": {\"a\": {\"url\": \"https://a\", \"login\": {\"type\": \"static\"}}}} | /servers/a/login/secret-file: is missing",
        "{\"servers\": {\"a\": {\"url\": \"https://a\", \"login\": {\"type\": \"none\", \"scopes\": []}}}} | /servers/a/login/scopes: is not known",
        "{\"servers\": {\"a\": {\"url\": \"https://a\"}, \"a\": {\"url\": \"https://b\"}}} | the file: is not JSON",
      })
  void saysWhereAndWhatIsExpected(String text, String message) throws Exception {
    assertThatThrownBy(() -> read(text)).hasMessageStartingWith(message);
    assertThat(schemaAccepts(text)).isFalse();
  }

  @Test
  void theSchemaSaysTheSame() throws Exception {
    assertThat(schemaAccepts(ALL)).isTrue();
  }

  /** Text that is no JSON, or has a name twice, is not for a schema to refuse. */
  private static boolean schemaAccepts(String text) throws Exception {
    Object document;
    try {
      document =
          JSON.rebuild()
              .enable(tools.jackson.core.StreamReadFeature.STRICT_DUPLICATE_DETECTION)
              .build()
              .readValue(text, Object.class);
    } catch (tools.jackson.core.JacksonException e) {
      return false;
    }
    @SuppressWarnings("unchecked")
    Map<String, Object> schema =
        JSON.readValue(
            Files.readString(Path.of("docs/reference/upstream-servers.schema.json")), Map.class);
    return new DefaultJsonSchemaValidator().validate(schema, document).valid();
  }

  @Test
  void followsChangesAndKeepsWhatWorkedLast() throws Exception {
    Path file = directory.resolve("servers.json");
    Files.writeString(file, "{\"servers\": {\"a\": {\"url\": \"https://a.example\"}}}");
    ServersFile servers = new ServersFile(file, MINUTE);
    assertThat(servers.find(new ServerName("a"))).isPresent();

    Files.writeString(file, "{\"servers\": {\"bb\": {\"url\": \"https://a.example\"}}}");
    servers.refreshIfChanged();
    assertThat(servers.find(new ServerName("a"))).isEmpty();
    assertThat(servers.find(new ServerName("bb"))).isPresent();

    Files.writeString(file, "{\"servers\": {\"ccc\": {}}}");
    servers.refreshIfChanged();
    assertThat(servers.find(new ServerName("bb"))).isPresent();
    assertThat(servers.trouble()).contains("/servers/ccc/url: is missing; expected a URL");

    Files.delete(file);
    servers.refreshIfChanged();
    assertThat(servers.trouble()).contains("it can't be read (NoSuchFileException)");
    assertThat(servers.servers()).hasSize(1);

    Files.writeString(file, "{\"servers\": {}}");
    servers.refreshIfChanged();
    assertThat(servers.trouble()).isEmpty();
    assertThat(servers.servers()).isEmpty();
  }

  @Test
  void aFileThatCantBeUsedAtTheStartIsRefused() {
    assertThatThrownBy(() -> new ServersFile(directory.resolve("none"), MINUTE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("runstone.upstream.file=");
  }
}
