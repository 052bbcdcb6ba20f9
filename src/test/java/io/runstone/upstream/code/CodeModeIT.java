package io.runstone.upstream.code;

import static org.assertj.core.api.Assertions.assertThat;

import io.runstone.testing.Http;
import io.runstone.testing.McpClient;
import io.runstone.testing.Wars;
import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.json.JsonValue;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.RunAsClient;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Code and agents use a real upstream server, all the way through the WAR. */
@ExtendWith(ArquillianExtension.class)
@RunAsClient
class CodeModeIT {
  private static final EchoServer UPSTREAM = new EchoServer();

  @ArquillianResource private URL base;
  private McpClient client;

  @Deployment(testable = false)
  static WebArchive war() throws Exception {
    Path file = Files.createTempFile("upstreams", ".json");
    Files.writeString(
        file,
        "{\"servers\":{\"demo\":{\"url\":\"%s\",\"title\":\"Demo\"}}}".formatted(UPSTREAM.url()));
    return Wars.with(Map.of("runstone.upstream.file", file.toString()));
  }

  @AfterAll
  static void end() {
    UPSTREAM.close();
  }

  @BeforeEach
  void connect() throws Exception {
    UPSTREAM.ended.clear();
    client = McpClient.open(new Http(base.toURI(), Map.of()));
  }

  private String run(String code) throws Exception {
    return McpClient.text(client.execute("", code));
  }

  @Test
  void agentsAreToldOfIt() throws Exception {
    JsonObject listed = client.call("tools/list", JsonValue.EMPTY_JSON_OBJECT);
    assertThat(listed.getJsonObject("result").getJsonArray("tools").getValuesAs(JsonObject.class))
        .extracting(tool -> tool.getString("name"))
        .contains("list_upstream_servers", "search_upstream_tools", "call_upstream_tool");
    assertThat(McpClient.text(client.tool("list_upstream_servers", JsonValue.EMPTY_JSON_OBJECT)))
        .isEqualTo("demo - Demo");
    assertThat(
            McpClient.text(client.tool("search_upstream_tools", McpClient.args("query", "echo"))))
        .isEqualTo("demo.echo(text?: string) - Says it again.");
  }

  @Test
  void codeCallsToolsInAConversationOfItsOwn() throws Exception {
    assertThat(run("import upstream\nupstream.servers()")).isEqualTo("demo (Demo)\n");
    String first = run("upstream.demo.echo(text='hi')");
    assertThat(first).startsWith("'hi in session-");
    assertThat(run("upstream.demo.echo(text='hi')")).isEqualTo(first);
    String many =
        """
        import asyncio
        answers = await asyncio.gather(*(upstream.aio.demo.echo(text=str(i)) for i in range(20)))
        [a.split()[0] for a in answers] == [str(i) for i in range(20)], len({a.split()[2] for a in answers})""";
    assertThat(run(many)).isEqualTo("(True, 1)\n");
    JsonObject direct =
        client.tool(
            "call_upstream_tool",
            Json.createObjectBuilder()
                .add("server", "demo")
                .add("tool", "echo")
                .add("arguments", McpClient.args("text", "ho"))
                .build());
    assertThat(McpClient.text(direct)).startsWith("ho in session-").isNotEqualTo(first);
    client.delete();
    String one = UPSTREAM.ended.poll(10, TimeUnit.SECONDS);
    String other = UPSTREAM.ended.poll(10, TimeUnit.SECONDS);
    assertThat(List.of("'hi in " + one + "'\n", "'hi in " + other + "'\n")).contains(first);
    assertThat(McpClient.text(direct)).isIn("ho in " + one, "ho in " + other);
  }

  @Test
  void whatIsNotThereIsAnError() throws Exception {
    assertThat(run("import upstream\nupstream.dem"))
        .contains("AttributeError", "did you mean 'demo'?");
    JsonObject failed =
        client.tool(
            "call_upstream_tool",
            Json.createObjectBuilder().add("server", "other").add("tool", "echo").build());
    assertThat(failed.getBoolean("isError")).isTrue();
    assertThat(McpClient.text(failed)).contains("no upstream server called other");
  }
}
