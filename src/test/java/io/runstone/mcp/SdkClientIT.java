package io.runstone.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.modelcontextprotocol.client.McpAsyncClient;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.modern.client.transport.HttpClientMcpTransport;
import io.modelcontextprotocol.spec.McpSchema;
import io.runstone.testing.Http;
import io.runstone.testing.Wars;
import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.json.JsonReader;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.container.annotation.ArquillianTest;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/**
 * The clients of the MCP Java SDK, one for each era. Those of other languages are in {@code
 * src/test/interop}.
 */
@ArquillianTest
@Timeout(60)
class SdkClientIT {
  private static final Duration FREE_AFTER = Duration.ofMillis(2500);
  private static final Duration ANSWER = Duration.ofSeconds(15);
  private static final String EXECUTE = "execute_python_code";

  /** Ends when somebody else lets it, so its output has to come before its result. */
  private static final String WAITS =
      """
      import os, time
      print('waiting', flush=True)
      while not os.path.exists('go'): time.sleep(0.02)
      os.remove('go')
      6 * 7""";

  private static final String TICKS =
      """
      import itertools, time
      for i in itertools.count():
          print('tick', i, flush=True)
          time.sleep(0.1)""";

  private static final String RICH =
      """
      class Bold:
          def _repr_html_(self): return '<b>bold</b>'
      Bold()""";

  private final BlockingQueue<String> progress = new LinkedBlockingQueue<>();

  @ArquillianResource private URL base;
  private Http http;
  private Set<Thread> before;

  @Deployment(testable = false)
  static WebArchive war() {
    return Wars.built();
  }

  @BeforeEach
  void connect() throws Exception {
    http = new Http(base.toURI(), Map.of());
    before = lastingThreads();
  }

  @AfterEach
  void disconnect() throws Exception {
    http.stopAll();
    assertThat(lastingThreads()).isSubsetOf(before);
  }

  /** What both clients can do, each in its own way. */
  private interface Sdk {
    /** Connects, and returns the revision agreed on. */
    String connect();

    List<String> tools();

    /** Calls a tool, for its structured content. */
    Mono<JsonObject> call(String tool, Map<String, Object> arguments);

    List<String> resources();

    List<String> templates();

    /** The text of a resource. */
    String read(String uri);
  }

  /** The revisions with sessions. */
  private final class Legacy implements Sdk {
    private final Set<String> methods = ConcurrentHashMap.newKeySet();
    private volatile String session = "";
    private volatile String lastCall = "";
    private final HttpClientStreamableHttpTransport transport =
        HttpClientStreamableHttpTransport.builder(base.toString())
            .addHttpRequestCustomizer(
                (request, method, uri, body, context) -> posted(request, method, body))
            .build();
    private final McpAsyncClient client =
        McpClient.async(transport)
            .enableCallToolSchemaCaching(true) // checks results against the tools' schemas
            .progressConsumer(
                told -> Mono.fromRunnable(() -> progress.add(String.valueOf(told.message()))))
            .build();

    private void posted(HttpRequest.Builder request, String method, @Nullable String body) {
      if (method.equals("POST") && body != null) {
        JsonObject message = parse(body);
        methods.add(message.getString("method"));
        session = request.copy().build().headers().firstValue("Mcp-Session-Id").orElse("");
        if (message.getString("method").equals("tools/call")) {
          lastCall = message.getString("id");
        }
      }
    }

    /** What the client's own cancellation would be. */
    void notifyCancelled() {
      transport
          .sendMessage(
              new McpSchema.JSONRPCNotification(
                  "notifications/cancelled", Map.of("requestId", lastCall)))
          .block(ANSWER);
    }

    @Override
    public String connect() {
      return await(client.initialize()).protocolVersion();
    }

    @Override
    public List<String> tools() {
      return await(client.listTools()).tools().stream().map(McpSchema.Tool::name).toList();
    }

    @Override
    public Mono<JsonObject> call(String tool, Map<String, Object> arguments) {
      return client
          .callTool(
              McpSchema.CallToolRequest.builder(tool)
                  .arguments(arguments)
                  .progressToken("token")
                  .build())
          .map(result -> structure(result.structuredContent()));
    }

    @Override
    public List<String> resources() {
      return await(client.listResources()).resources().stream()
          .map(McpSchema.Resource::uri)
          .toList();
    }

    @Override
    public List<String> templates() {
      return await(client.listResourceTemplates()).resourceTemplates().stream()
          .map(McpSchema.ResourceTemplate::uriTemplate)
          .toList();
    }

    @Override
    public String read(String uri) {
      McpSchema.ReadResourceRequest request = McpSchema.ReadResourceRequest.builder(uri).build();
      return ((McpSchema.TextResourceContents)
              await(client.readResource(request)).contents().get(0))
          .text();
    }

    void close() {
      client.closeGracefully().block(ANSWER);
    }
  }

  /** The revision without sessions. There is nothing to close: a call's end closes its stream. */
  private final class Modern implements Sdk {
    private final io.modelcontextprotocol.modern.client.McpAsyncClient client =
        io.modelcontextprotocol.modern.client.McpClient.async(
                HttpClientMcpTransport.builder(base + "mcp").build())
            .progress(told -> Mono.fromRunnable(() -> progress.add(String.valueOf(told.message()))))
            .build();

    @Override
    public String connect() {
      return await(client.discover()).supportedVersions().get(0);
    }

    @Override
    public List<String> tools() {
      return await(client.listTools().list()).tools().stream()
          .map(io.modelcontextprotocol.modern.McpSchema.Tool::name)
          .toList();
    }

    @Override
    public Mono<JsonObject> call(String tool, Map<String, Object> arguments) {
      return client
          .tool(tool)
          .arguments(arguments)
          .call()
          .map(result -> structure(result.structuredContent()));
    }

    @Override
    public List<String> resources() {
      return await(client.resources().list()).resources().stream()
          .map(io.modelcontextprotocol.modern.McpSchema.Resource::uri)
          .toList();
    }

    @Override
    public List<String> templates() {
      return await(client.resourceTemplates().list()).resourceTemplates().stream()
          .map(io.modelcontextprotocol.modern.McpSchema.ResourceTemplate::uriTemplate)
          .toList();
    }

    @Override
    public String read(String uri) {
      return ((io.modelcontextprotocol.modern.McpSchema.TextResourceContents)
              await(client.resource(uri).read()).contents().get(0))
          .text();
    }
  }

  private static <T> T await(Mono<T> answer) {
    return answer.blockOptional(ANSWER).orElseThrow();
  }

  private static JsonObject structure(@Nullable Object content) {
    try {
      return parse(McpJsonDefaults.getMapper().writeValueAsString(content));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static JsonObject parse(String json) {
    try (JsonReader reader = Json.createReader(new StringReader(json))) {
      return reader.readObject();
    }
  }

  /** The threads that would keep a virtual machine from ending. */
  private static Set<Thread> lastingThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> !thread.isDaemon())
        .collect(Collectors.toSet());
  }

  private static Mono<JsonObject> executing(Sdk sdk, String code) {
    return sdk.call(EXECUTE, Map.of("session_id", "alpha", "command", code));
  }

  private static String execute(Sdk sdk, String code) {
    return await(executing(sdk, code)).getString("stdout");
  }

  private void assertHeard(String text) throws InterruptedException {
    assertThat(progress.poll(ANSWER.toSeconds(), TimeUnit.SECONDS)).startsWith(text);
  }

  private void assertServed(Sdk sdk) throws Exception {
    assertThat(sdk.tools())
        .containsExactly(
            EXECUTE,
            "start_python_session",
            "list_python_sessions",
            "stop_python_session",
            "interrupt_python_session",
            "restart_python_session");
    Map<String, Object> alpha = Map.of("session_id", "alpha");
    assertThat(await(sdk.call("start_python_session", alpha)).getString("status"))
        .isEqualTo("active");
    CompletableFuture<JsonObject> waiting = executing(sdk, WAITS).toFuture();
    assertHeard("waiting\n");
    assertThat(waiting).isNotDone();
    await(sdk.call(EXECUTE, Map.of("command", "open('go', 'w').close()")));
    assertThat(waiting.get(ANSWER.toSeconds(), TimeUnit.SECONDS).getString("stdout"))
        .isEqualTo("waiting\n42\n");
    JsonObject output = await(executing(sdk, RICH)).getJsonArray("outputs").getJsonObject(0);
    assertThat(output.getString("uri"))
        .matches("runstone://executions/[0-9a-f-]+/outputs/" + output.getInt("n"));
    assertThat(sdk.read(output.getString("uri"))).isEqualTo("<b>bold</b>");
    assertThat(sdk.read("runstone://sessions")).contains("\"alpha\"");
    assertThat(sdk.resources()).contains("runstone://sessions");
    assertThat(sdk.templates()).contains("runstone://executions/{execution_id}/outputs/{n}");
    assertThat(await(sdk.call("stop_python_session", alpha)).getString("status"))
        .isEqualTo("stopped");
    assertThat(await(sdk.call("list_python_sessions", Map.of())).getJsonArray("result")).isEmpty();
  }

  /** Returns a call whose cell keeps a variable, and then tells that it runs, for ever. */
  private Disposable running(Sdk sdk) throws Exception {
    sdk.connect();
    http.start("alpha");
    Disposable call = executing(sdk, "kept = 41\n" + TICKS).subscribe(done -> {}, failed -> {});
    assertHeard("tick 0\n");
    return call;
  }

  /** The session answers soon, and has its variable. */
  private void assertFreeSoon(String what) throws Exception {
    long start = System.nanoTime();
    assertThat(http.execute("alpha", "kept + 1").getString("stdout")).isEqualTo("42\n");
    Duration took = Duration.ofNanos(System.nanoTime() - start);
    System.out.println(what + ": the session was free after " + took.toMillis() + " ms");
    assertThat(took).isLessThan(FREE_AFTER);
  }

  @Test
  void aClientWithASessionIsServed() throws Exception {
    Legacy sdk = new Legacy();
    assertThat(sdk.connect()).isEqualTo("2025-11-25");
    assertServed(sdk);
    sdk.close();
    String ping = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
    String accept = io.runstone.testing.McpClient.ACCEPT;
    assertThat(
            http.send("POST", "/mcp", ping, "Accept", accept, "Mcp-Session-Id", sdk.session)
                .status())
        .isEqualTo(404);
  }

  @Test
  void aClientWithoutASessionIsServed() throws Exception {
    Modern sdk = new Modern();
    assertThat(sdk.connect()).isEqualTo("2026-07-28");
    assertServed(sdk);
  }

  /**
   * SDK 2.2.0: {@code McpClientSession.sendRequest} has no {@code onDispose}. Whoever disposes a
   * call stops waiting, but the server is not told and the stream stays open, so the cell goes on.
   * What the protocol asks for can be sent through the transport. If the cell does not go on any
   * more, the SDK has learned it, and this test can do without.
   */
  @Test
  void aClientWithASessionCancelsByANotification() throws Exception {
    Legacy sdk = new Legacy();
    running(sdk).dispose();
    progress.clear();
    for (int i = 0; i < 30; i++) { // 3 s, longer than a stream that was closed is waited for
      assertHeard("tick");
    }
    assertThat(sdk.methods).contains("tools/call").doesNotContain("notifications/cancelled");
    sdk.notifyCancelled();
    assertFreeSoon("SDK client with a session, after notifications/cancelled");
    assertThat(execute(sdk, "kept")).isEqualTo("41\n");
    sdk.close();
  }

  @Test
  void aClientWithASessionInterruptsItsCellsWhenItCloses() throws Exception {
    Legacy sdk = new Legacy();
    running(sdk);
    sdk.close();
    assertFreeSoon("SDK client with a session, closed");
  }

  @Test
  void aClientWithoutASessionCancelsByClosingTheStream() throws Exception {
    Modern sdk = new Modern();
    running(sdk).dispose();
    assertFreeSoon("SDK client without a session, disposed");
    assertThat(execute(sdk, "kept")).isEqualTo("41\n");
  }
}
