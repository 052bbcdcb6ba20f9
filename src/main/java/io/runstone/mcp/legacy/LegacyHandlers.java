package io.runstone.mcp.legacy;

import io.modelcontextprotocol.json.schema.JsonSchemaValidator;
import io.modelcontextprotocol.server.McpAsyncServerExchange;
import io.modelcontextprotocol.server.McpRequestHandler;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema;
import io.runstone.mcp.feature.ResourceCatalog;
import io.runstone.mcp.feature.Tool;
import io.runstone.mcp.feature.ToolResult;
import io.runstone.mcp.wire.RpcException;
import io.runstone.mcp.wire.WireForms;
import io.runstone.security.Requester;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Answers the requests of MCP sessions. Thread-safe.
 *
 * <p>The SDK's own handlers have one list of resources for all users, no pages, and don't know
 * which call is cancelled; so these take their place in the SDK's sessions.
 */
final class LegacyHandlers {
  private static final System.Logger LOG = System.getLogger(LegacyHandlers.class.getName());

  /** MCP 2025-11-25, "Resources", error handling. */
  private static final int RESOURCE_NOT_FOUND = -32002;

  private final Map<String, Tool> tools;
  private final ResourceCatalog resources;
  private final Function<String, Optional<BoundSession>> sessions;
  private final JsonSchemaValidator validator;
  private final Executor files;
  private final Duration watchInterval;

  /**
   * Creates the handlers.
   *
   * @param sessions finds a session by its id
   * @param files runs what reads files
   */
  LegacyHandlers(
      List<Tool> tools,
      ResourceCatalog resources,
      Function<String, Optional<BoundSession>> sessions,
      JsonSchemaValidator validator,
      Executor files,
      Duration watchInterval) {
    this.tools = new LinkedHashMap<>();
    tools.forEach(tool -> this.tools.put(tool.name(), tool));
    this.resources = resources;
    this.sessions = sessions;
    this.validator = validator;
    this.files = files;
    this.watchInterval = watchInterval;
  }

  /** The handlers by method, which may be added to. */
  Map<String, McpRequestHandler<?>> byMethod() {
    Map<String, McpRequestHandler<?>> handlers = new HashMap<>();
    handlers.put("ping", (exchange, params) -> Mono.just(Map.of()));
    handlers.put("logging/setLevel", deferred(this::setLevel));
    handlers.put("tools/list", (exchange, params) -> Mono.just(listTools()));
    handlers.put("tools/call", deferred(this::callTool));
    handlers.put("resources/list", deferred(this::listResources));
    handlers.put("resources/templates/list", deferred(this::listTemplates));
    handlers.put("resources/read", deferred(this::readResource));
    handlers.put("resources/subscribe", deferred(this::subscribe));
    handlers.put("resources/unsubscribe", deferred(this::unsubscribe));
    return handlers;
  }

  /**
   * The SDK answers only failures of the {@code Mono}, not what a handler throws, and it tells
   * clients the message of any exception.
   */
  private static <T> McpRequestHandler<T> deferred(McpRequestHandler<T> handler) {
    return (exchange, params) ->
        Mono.defer(() -> handler.handle(exchange, params))
            .onErrorMap(failure -> !(failure instanceof McpError), LegacyHandlers::unexpected);
  }

  private static McpError unexpected(Throwable failure) {
    LOG.log(System.Logger.Level.ERROR, "a request to the MCP endpoint failed", failure);
    return McpError.builder(RpcException.INTERNAL_ERROR)
        .message("internal error; the server's log says more")
        .build();
  }

  private Map<String, Object> listTools() {
    return Map.of("tools", tools.values().stream().map(Tool::definition).toList());
  }

  private Mono<Map<String, Object>> callTool(
      McpAsyncServerExchange exchange, @Nullable Object params) {
    Map<String, Object> fields = object(params, "params");
    Tool tool = tools.get(text(fields, "name"));
    if (tool == null) {
      throw invalid("there is no such tool; see tools/list");
    }
    Map<String, Object> arguments = object(fields.getOrDefault("arguments", Map.of()), "arguments");
    var checked = validator.validate(schema(tool), arguments);
    if (!checked.valid()) {
      return Mono.just(
          WireForms.of(ToolResult.error("Invalid arguments: " + checked.errorMessage())));
    }
    Object meta = fields.get("_meta");
    if (fields.containsKey("_meta") && !(meta instanceof Map)) {
      throw invalid("_meta must be an object");
    }
    Object token = meta instanceof Map<?, ?> map ? map.get("progressToken") : null;
    LegacyToolCall call =
        new LegacyToolCall(call(exchange), exchange, arguments, token, watchInterval);
    return Mono.fromCompletionStage(tool.handler().call(call)).map(WireForms::of);
  }

  private static Map<String, Object> schema(Tool tool) {
    return object(tool.definition().getOrDefault("inputSchema", Map.of()), "inputSchema");
  }

  private Mono<Map<String, Object>> setLevel(
      McpAsyncServerExchange exchange, @Nullable Object params) {
    String level = text(object(params, "params"), "level");
    for (McpSchema.LoggingLevel known : McpSchema.LoggingLevel.values()) {
      if (known.name().toLowerCase(Locale.ROOT).equals(level)) {
        session(exchange).sdk().setMinLoggingLevel(known);
        return Mono.just(Map.of());
      }
    }
    throw invalid("there is no such level; see RFC 5424");
  }

  private Mono<Map<String, Object>> listResources(
      McpAsyncServerExchange exchange, @Nullable Object params) {
    Requester requester = call(exchange).requester();
    return reading(
        () -> page("resources", resources.list(requester, cursor(params)).map(WireForms::of)));
  }

  private Mono<Map<String, Object>> listTemplates(
      McpAsyncServerExchange exchange, @Nullable Object params) {
    return reading(
        () -> page("resourceTemplates", resources.templates(cursor(params)).map(WireForms::of)));
  }

  private Mono<Map<String, Object>> readResource(
      McpAsyncServerExchange exchange, @Nullable Object params) {
    Requester requester = call(exchange).requester();
    String uri = text(object(params, "params"), "uri");
    return reading(
        () ->
            Map.of(
                "contents",
                List.of(
                    WireForms.of(
                        resources.read(requester, uri).orElseThrow(() -> notFound(uri))))));
  }

  private Mono<Map<String, Object>> subscribe(
      McpAsyncServerExchange exchange, @Nullable Object params) {
    Requester requester = call(exchange).requester();
    String uri = text(object(params, "params"), "uri");
    return reading(
        () -> {
          if (resources.all(requester).stream().noneMatch(info -> info.uri().equals(uri))) {
            throw notFound(uri);
          } else if (!session(exchange).subscribe(uri)) {
            throw invalid("this MCP session has too many subscriptions");
          }
          return Map.of();
        });
  }

  private Mono<Map<String, Object>> unsubscribe(
      McpAsyncServerExchange exchange, @Nullable Object params) {
    session(exchange).unsubscribe(text(object(params, "params"), "uri"));
    return Mono.just(Map.of());
  }

  private static Map<String, Object> page(
      String name, ResourceCatalog.Page<Map<String, Object>> page) {
    Map<String, Object> result = new LinkedHashMap<>();
    result.put(name, page.items());
    page.next().ifPresent(cursor -> result.put("nextCursor", cursor));
    return result;
  }

  /** Work that reads files. */
  private interface Reading {
    Map<String, Object> run() throws IOException, ResourceCatalog.BadCursorException;
  }

  private Mono<Map<String, Object>> reading(Reading work) {
    CompletableFuture<Map<String, Object>> result = new CompletableFuture<>();
    files.execute(
        () -> {
          try {
            result.complete(work.run());
          } catch (ResourceCatalog.BadCursorException e) {
            result.completeExceptionally(invalid(String.valueOf(e.getMessage())));
          } catch (IOException e) {
            result.completeExceptionally(
                McpError.builder(RpcException.INTERNAL_ERROR)
                    .message("the resource can't be read at the moment")
                    .build());
          } catch (RuntimeException e) {
            result.completeExceptionally(e);
          }
        });
    return Mono.fromCompletionStage(result);
  }

  private static Optional<String> cursor(@Nullable Object params) {
    return params == null
        ? Optional.empty()
        : Optional.ofNullable(object(params, "params").get("cursor")).map(String::valueOf);
  }

  private static ServerCall call(McpAsyncServerExchange exchange) {
    return (ServerCall) exchange.transportContext().get(ServerCall.KEY);
  }

  private BoundSession session(McpAsyncServerExchange exchange) {
    return sessions
        .apply(exchange.sessionId())
        .orElseThrow(() -> invalid("this MCP session has ended"));
  }

  @SuppressWarnings("unchecked") // an object of JSON has no other keys
  private static Map<String, Object> object(@Nullable Object value, String name) {
    if (value instanceof Map<?, ?> map) {
      return (Map<String, Object>) map;
    }
    throw invalid(name + " must be an object");
  }

  private static String text(Map<String, Object> fields, String name) {
    if (fields.get(name) instanceof String text) {
      return text;
    }
    throw invalid(name + " must be a string");
  }

  private static McpError notFound(String uri) {
    return McpError.builder(RESOURCE_NOT_FOUND)
        .message("there is no such resource, or not any more")
        .data(Map.of("uri", uri))
        .build();
  }

  private static McpError invalid(String message) {
    return McpError.builder(RpcException.INVALID_PARAMS).message(message).build();
  }
}
