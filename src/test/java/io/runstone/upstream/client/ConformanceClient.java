package io.runstone.upstream.client;

import io.runstone.concurrent.Threads;
import io.runstone.kernel.Cancellation;
import io.runstone.testing.Directories;
import io.runstone.upstream.Authorizer;
import io.runstone.upstream.UpstreamCall;
import io.runstone.upstream.UpstreamConnection;
import io.runstone.upstream.UpstreamException;
import io.runstone.upstream.UpstreamServer;
import io.runstone.upstream.UpstreamTool;
import io.runstone.upstream.credential.WillingUser;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import tools.jackson.databind.json.JsonMapper;

/**
 * What the conformance suite runs as a client, see {@code src/test/interop/client-conformance.sh}:
 * it connects to the URL that is its last argument, lists the tools, and calls what the scenario
 * wants called. It ends with 1 if anything fails.
 */
public final class ConformanceClient {
  private static final JsonMapper JSON = new JsonMapper();

  /** How often a user consents before they see that it leads nowhere. */
  private static final int MAX_CONSENTS = 3;

  /** The suite expects this server's document there. */
  private static final String DOCUMENTED = "https://conformance-test.local";

  private final HttpUpstreamConnector connector;
  private final UpstreamServer server;
  private final Supplier<Authorizer> authorizers;

  private ConformanceClient(
      HttpUpstreamConnector connector, UpstreamServer server, Supplier<Authorizer> authorizers) {
    this.connector = connector;
    this.server = server;
    this.authorizers = authorizers;
  }

  /** Runs the scenario in the environment's {@code MCP_CONFORMANCE_SCENARIO}. */
  public static void main(String[] args) throws Exception {
    URI url = URI.create(args[args.length - 1]);
    String scenario = System.getenv().getOrDefault("MCP_CONFORMANCE_SCENARIO", "");
    Map<?, ?> context =
        JSON.readValue(System.getenv().getOrDefault("MCP_CONFORMANCE_CONTEXT", "{}"), Map.class);
    Threads threads = new Threads(Thread::new);
    try (HttpUpstreamConnector connector =
        new HttpUpstreamConnector(
            ClientSettings.of("runstone", "conformance", 4 << 20), threads, System::nanoTime)) {
      if (scenario.startsWith("auth/")) {
        withConsent(connector, url, scenario, context);
      } else {
        new ConformanceClient(connector, ClientFixture.server(url), () -> Authorizer.NONE)
            .run(scenario, context);
      }
    } finally {
      threads.close();
    }
  }

  private static void withConsent(
      HttpUpstreamConnector connector, URI url, String scenario, Map<?, ?> context)
      throws Exception {
    Path data = Files.createTempDirectory("runstone-conformance");
    try (WillingUser user =
        new WillingUser(
            data,
            url,
            Optional.ofNullable(context.get("client_id")).map(String::valueOf),
            Optional.ofNullable(context.get("client_secret")).map(String::valueOf),
            scenario.equals("auth/basic-cimd") ? DOCUMENTED : "http://localhost:8222")) {
      ConformanceClient client = new ConformanceClient(connector, user.server(), user::authorizer);
      for (int consents = 0; !client.isDone(scenario, context); consents++) {
        if (consents == MAX_CONSENTS) {
          throw new IllegalStateException("consent leads nowhere");
        }
        user.consent();
        System.out.println("consented");
      }
    } finally {
      Directories.delete(data);
    }
  }

  /** False if somebody has to consent first. */
  private boolean isDone(String scenario, Map<?, ?> context) throws Exception {
    try {
      run(scenario, context);
      return true;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UpstreamException failure && failure.link().isPresent()) {
        System.out.println(failure.getMessage());
        return false;
      }
      throw e;
    }
  }

  private void run(String scenario, Map<?, ?> context) throws Exception {
    UpstreamConnection connection =
        ClientFixture.get(connector.connect(server, authorizers.get(), () -> {}));
    System.out.println("speaks " + connection.protocolVersion());
    try {
      run(connection, scenario, context);
    } finally {
      ClientFixture.get(connection.close(authorizers.get()));
    }
  }

  private void run(UpstreamConnection connection, String scenario, Map<?, ?> context)
      throws Exception {
    List<UpstreamTool> tools = ClientFixture.get(connection.listTools(authorizers.get()));
    switch (scenario) {
      case "initialize", "json-schema-ref-no-deref" -> {}
      case "tools_call" -> call(connection, "add_numbers", Map.of("a", 5, "b", 3));
      case "http-custom-headers" -> {
        for (Call one : calls(context)) {
          call(connection, one.name(), one.arguments());
        }
      }
      case "json-schema-2020-12-preservation" -> preserve(connection, tools);
      default -> {
        for (UpstreamTool tool : tools) {
          call(connection, tool.name(), arguments(tool));
        }
      }
    }
  }

  private record Call(String name, Map<String, Object> arguments) {}

  private static List<Call> calls(Map<?, ?> context) {
    List<Call> calls = new ArrayList<>();
    Object listed = context.get("toolCalls");
    if (listed instanceof List<?> list) {
      for (Object one : list) {
        Map<String, Object> call = Json.child(one);
        calls.add(new Call(String.valueOf(call.get("name")), Json.child(call.get("arguments"))));
      }
    }
    return calls;
  }

  /** Sends the schema of one tool to the other, as it was heard. */
  private void preserve(UpstreamConnection connection, List<UpstreamTool> tools) throws Exception {
    for (UpstreamTool tool : tools) {
      if (!tool.name().equals("json_schema_echo")) {
        call(
            connection,
            "json_schema_echo",
            Map.of("schema", Json.child(tool.definition().get("inputSchema"))));
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

  private void call(UpstreamConnection connection, String tool, Map<String, Object> arguments)
      throws InterruptedException, ExecutionException, TimeoutException {
    try {
      ClientFixture.get(
          connection.call(
              new UpstreamCall(
                  server.name(),
                  tool,
                  arguments,
                  Optional.empty(),
                  new Cancellation(),
                  progress -> {}),
              authorizers.get()));
      System.out.println("called " + tool);
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof UpstreamException failure)
          || failure.kind() != UpstreamException.Kind.REJECTED) {
        throw e;
      }
      System.out.println("refused " + tool + ": " + failure.getMessage());
    }
  }
}
