package io.runstone.upstream.client;

import io.runstone.concurrent.Threads;
import io.runstone.kernel.Cancellation;
import io.runstone.upstream.Authorizer;
import io.runstone.upstream.ServerName;
import io.runstone.upstream.UpstreamCall;
import io.runstone.upstream.UpstreamConnection;
import io.runstone.upstream.UpstreamException;
import io.runstone.upstream.UpstreamTool;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import tools.jackson.databind.json.JsonMapper;

/**
 * What the conformance suite runs as a client, see {@code src/test/interop/client-conformance.sh}:
 * it connects to the URL that is its last argument, lists the tools, and calls what the scenario
 * wants called. It ends with 1 if anything fails.
 */
public final class ConformanceClient {
  private static final JsonMapper JSON = new JsonMapper();

  private final UpstreamConnection connection;

  private ConformanceClient(UpstreamConnection connection) {
    this.connection = connection;
  }

  /** Runs the scenario in the environment's {@code MCP_CONFORMANCE_SCENARIO}. */
  public static void main(String[] args) throws Exception {
    Threads threads = new Threads(Thread::new);
    try (HttpUpstreamConnector connector =
        new HttpUpstreamConnector(
            ClientSettings.of("runstone", "conformance", 4 << 20), threads, System::nanoTime)) {
      UpstreamConnection connection =
          get(
              connector.connect(
                  ClientFixture.server(URI.create(args[args.length - 1])),
                  Authorizer.NONE,
                  () -> {}));
      System.out.println("speaks " + connection.protocolVersion());
      new ConformanceClient(connection)
          .run(
              System.getenv().getOrDefault("MCP_CONFORMANCE_SCENARIO", ""),
              System.getenv().getOrDefault("MCP_CONFORMANCE_CONTEXT", "{}"));
      get(connection.close(Authorizer.NONE));
    } finally {
      threads.close();
    }
  }

  private void run(String scenario, String context) throws Exception {
    List<UpstreamTool> tools = get(connection.listTools(Authorizer.NONE));
    switch (scenario) {
      case "initialize", "json-schema-ref-no-deref" -> {}
      case "tools_call" -> call("add_numbers", Map.of("a", 5, "b", 3));
      case "http-custom-headers" -> {
        for (Call one : calls(context)) {
          call(one.name(), one.arguments());
        }
      }
      case "json-schema-2020-12-preservation" -> preserve(tools);
      default -> {
        for (UpstreamTool tool : tools) {
          call(tool.name(), arguments(tool));
        }
      }
    }
  }

  private record Call(String name, Map<String, Object> arguments) {}

  private static List<Call> calls(String context) {
    List<Call> calls = new ArrayList<>();
    Object listed = JSON.readValue(context, Map.class).get("toolCalls");
    if (listed instanceof List<?> list) {
      for (Object one : list) {
        Map<String, Object> call = Json.child(one);
        calls.add(new Call(String.valueOf(call.get("name")), Json.child(call.get("arguments"))));
      }
    }
    return calls;
  }

  /** Sends the schema of one tool to the other, as it was heard. */
  private void preserve(List<UpstreamTool> tools) throws Exception {
    for (UpstreamTool tool : tools) {
      if (!tool.name().equals("json_schema_echo")) {
        call(
            "json_schema_echo", Map.of("schema", Json.child(tool.definition().get("inputSchema"))));
      }
    }
  }

  /** Something for each argument that a tool demands. */
  private static Map<String, Object> arguments(UpstreamTool tool) {
    Map<String, Object> schema = Json.child(tool.definition().get("inputSchema"));
    Map<String, Object> arguments = new LinkedHashMap<>();
    if (schema.get("required") instanceof List<?> required) {
      required.forEach(name -> arguments.put(String.valueOf(name), "us-east1"));
    }
    return arguments;
  }

  private void call(String tool, Map<String, Object> arguments)
      throws InterruptedException, ExecutionException, TimeoutException {
    try {
      get(
          connection.call(
              new UpstreamCall(
                  new ServerName("conformance"),
                  tool,
                  arguments,
                  Optional.empty(),
                  new Cancellation(),
                  progress -> {}),
              Authorizer.NONE));
      System.out.println("called " + tool);
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof UpstreamException failure)
          || failure.kind() != UpstreamException.Kind.REJECTED) {
        throw e;
      }
      System.out.println("refused " + tool + ": " + failure.getMessage());
    }
  }

  private static <T> T get(CompletionStage<T> stage)
      throws InterruptedException, ExecutionException, TimeoutException {
    return stage.toCompletableFuture().get(20, TimeUnit.SECONDS);
  }
}
