package io.runstone.mcp.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.modelcontextprotocol.json.schema.jackson3.DefaultJsonSchemaValidator;
import io.runstone.mcp.feature.Content;
import io.runstone.mcp.feature.McpSessionId;
import io.runstone.mcp.feature.Tool;
import io.runstone.mcp.feature.ToolResult;
import io.runstone.security.Sha256;
import io.runstone.security.UserId;
import io.runstone.upstream.FakeUpstreams;
import io.runstone.upstream.UpstreamException;
import io.runstone.upstream.UpstreamException.Kind;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

class UpstreamToolsTest {
  private static final String ONE = "direct:mcp:" + Sha256.hex("one").substring(0, 24);

  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final int SHOWN = 10_000;

  private final FakeUpstreams upstreams =
      new FakeUpstreams()
          .server("crm", "Customers", "Contacts and deals.", "")
          .server("mail", "Mail", "", "https://runstone.example/connect/mail");
  private final UpstreamFeatures features = new UpstreamFeatures(upstreams, SHOWN);

  private ToolResult call(String tool, FakeCall call) throws Exception {
    Tool found =
        features.tools().stream().filter(t -> t.name().equals(tool)).findFirst().orElseThrow();
    ToolResult result = found.handler().call(call).toCompletableFuture().get(5, TimeUnit.SECONDS);
    if (!result.failed()) {
      Map<?, ?> schema = (Map<?, ?>) found.definition().get("outputSchema");
      Map<String, Object> typed = JSON.convertValue(schema, new TypeReference<>() {});
      assertThat(
              new DefaultJsonSchemaValidator()
                  .validate(typed, result.structure().orElseThrow())
                  .valid())
          .isTrue();
    }
    return result;
  }

  private ToolResult call(Map<String, Object> arguments) throws Exception {
    return call("call_upstream_tool", FakeCall.with(arguments));
  }

  private static String text(ToolResult result) {
    return ((Content.Text) result.content().get(0)).text();
  }

  private static int shownChars(ToolResult result) {
    return text(result).length()
        + JSON.writeValueAsString(result.structure().orElseThrow()).length();
  }

  private void manyTools() {
    for (int i = 0; i < 500; i++) {
      upstreams.tool(
          "crm",
          "{\"name\":\"tool_"
              + i
              + "\",\"description\":\"Does "
              + "very much ".repeat(100)
              + ". And more.\",\"inputSchema\":{\"type\":\"object\",\"required\":[\"b\"],\"properties\":{"
              + "\"a\":{\"type\":\"integer\"},\"b\":{\"type\":[\"string\",\"null\"],\"description\":\""
              + "long ".repeat(200)
              + "\"}}}}");
    }
  }

  @Test
  void serversAreListedWithWhatTheUserHasToDoFirst() throws Exception {
    ToolResult result = call("list_upstream_servers", FakeCall.with(Map.of()));
    assertThat(text(result))
        .isEqualTo(
            "crm - Customers: Contacts and deals.\n"
                + "mail - Mail (the user has to connect it first:"
                + " https://runstone.example/connect/mail)");
  }

  @Test
  void littleIsShownOfManyToolsUntilMoreIsAskedFor() throws Exception {
    manyTools();
    for (Map<String, Object> arguments :
        List.<Map<String, Object>>of(
            Map.of("query", "very"), Map.of("query", "", "server", "crm"))) {
      ToolResult result = call("search_upstream_tools", FakeCall.with(arguments));
      assertThat(text(result)).contains("crm.tool_0(b: string|null, a?: integer) - Does very much");
      assertThat(shownChars(result)).isLessThan(6000);
      assertThat(result.structure().orElseThrow()).containsEntry("count", 10);
    }
    ToolResult all =
        call(
            "search_upstream_tools",
            FakeCall.with(Map.of("query", "tool_7", "server", "crm", "limit", 100)));
    assertThat(all.structure().orElseThrow()).containsEntry("count", 11);
    ToolResult detail =
        call(
            "search_upstream_tools",
            FakeCall.with(Map.of("query", "tool_499", "limit", 1, "detail", true)));
    assertThat(text(detail)).contains("server: crm, tool: tool_499", "\"description\":\"long long");
    assertThat(text(detail)).contains("mail could not be asked: the user has to connect it");
  }

  @Test
  void aCallHandsOnWhatTheToolAnswers() throws Exception {
    upstreams.answering(
        (caller, call) -> {
          call.progress().accept("half\ndone");
          return FakeUpstreams.answer(
              "{\"content\":[{\"type\":\"text\",\"text\":\"hi\"},"
                  + "{\"type\":\"image\",\"data\":\"aGk=\",\"mimeType\":\"image/png\"},"
                  + "{\"type\":\"resource_link\",\"uri\":\"x:y\",\"name\":\"n\"}],"
                  + "\"structuredContent\":{\"a\":null}}");
        });
    FakeCall call =
        FakeCall.with(
                Map.of("server", "crm", "tool", "t", "arguments", Map.of("x", 1), "timeout", 2.5))
            .in("one");
    ToolResult result = call("call_upstream_tool", call);
    assertThat(result.failed()).isFalse();
    assertThat(result.content())
        .containsExactly(
            new Content.Text("hi"),
            new Content.Image("aGk=", "image/png"),
            new Content.Text("[n, a resource of the server: x:y]"));
    assertThat(JSON.writeValueAsString(result.structure().orElseThrow()))
        .isEqualTo("{\"result\":{\"a\":null}}");
    assertThat(call.progress()).containsExactly("1.0 half done");
    FakeUpstreams.Called called = upstreams.called.get(0);
    assertThat(called.caller().owner()).isEqualTo(ONE);
    assertThat(called.call().arguments()).isEqualTo(Map.of("x", 1));
    assertThat(called.call().timeout()).contains(Duration.ofMillis(2500));
    assertThat(called.call().cancellation()).isSameAs(call.cancellation());
    call(Map.of("server", "crm", "tool", "t"));
    assertThat(upstreams.called.get(1).caller().owner()).isEqualTo("direct:");
  }

  @Test
  void longTextIsCutAndSaysHowToHaveIt() throws Exception {
    String json =
        JSON.writeValueAsString(
            Map.of("content", List.of(Map.of("type", "text", "text", "é".repeat(SHOWN * 2)))));
    upstreams.answering((caller, call) -> FakeUpstreams.answer(json));
    ToolResult result = call(Map.of("server", "crm", "tool", "t"));
    assertThat(text(result)).hasSizeLessThan(SHOWN + 200).contains("import upstream");
    String large =
        JSON.writeValueAsString(Map.of("structuredContent", Map.of("a", "x".repeat(SHOWN))));
    upstreams.answering((caller, call) -> FakeUpstreams.answer(large));
    assertThat(shownChars(call(Map.of("server", "crm", "tool", "t")))).isLessThan(3 * SHOWN);
  }

  @Test
  void failuresAreResultsThatSayWhatToDo() throws Exception {
    URI link = URI.create("https://runstone.example/connect/crm");
    upstreams.answering(
        (caller, call) ->
            CompletableFuture.failedStage(
                UpstreamException.consent(Kind.CONSENT_REQUIRED, "connect it first", link)));
    assertThat(call(Map.of("server", "crm", "tool", "t")))
        .isEqualTo(ToolResult.error("connect it first: " + link));
    upstreams.answering(
        (caller, call) ->
            FakeUpstreams.answer(
                "{\"isError\":true,\"content\":[{\"type\":\"text\",\"text\":\"no\"}]}"));
    ToolResult failed = call(Map.of("server", "crm", "tool", "t"));
    assertThat(failed.failed()).isTrue();
    assertThat(text(failed)).isEqualTo("no");
    assertThat(call(Map.of("server", "../crm", "tool", "t")).failed()).isTrue();
    upstreams.answering((caller, call) -> CompletableFuture.failedStage(new ArithmeticException()));
    assertThat(text(call(Map.of("server", "crm", "tool", "t")))).contains("internal error");
  }

  @Test
  void theEndOfAnMcpSessionEndsItsConversations() {
    features.ended(new UserId("anna"), new McpSessionId("one"));
    assertThat(upstreams.released)
        .containsExactly(new FakeUpstreams.Released(new UserId("anna"), ONE));
  }

  @Test
  void whatClientsSeeOfTheToolsIsShort() {
    assertThat(JSON.writeValueAsString(features.tools().stream().map(Tool::definition).toList()))
        .hasSizeLessThan(6000);
    assertThat(features.instructions()).contains("import upstream").hasSizeLessThan(500);
  }
}
