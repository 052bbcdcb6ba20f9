package io.runstone.mcp;

import io.modelcontextprotocol.server.McpAsyncServerExchange;
import io.modelcontextprotocol.server.McpServerFeatures.AsyncToolSpecification;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.runstone.kernel.OutputListener;
import io.runstone.security.UserId;
import io.runstone.session.ExecutionOrder;
import io.runstone.session.ExecutionTarget;
import io.runstone.session.SessionException;
import io.runstone.session.SessionId;
import io.runstone.session.SessionKey;
import io.runstone.session.SessionManager;
import io.runstone.session.StopReason;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import reactor.core.publisher.Mono;

/** The tools over Python sessions. Nothing in them waits. Thread-safe. */
final class SessionTools {
  private static final System.Logger LOG = System.getLogger(SessionTools.class.getName());

  private final SessionManager sessions;
  private final ToolCatalog catalog;
  private final ScheduledExecutorService timer;
  private final int shownChars;
  private final McpSessions mcpSessions;

  SessionTools(
      SessionManager sessions,
      ToolCatalog catalog,
      ScheduledExecutorService timer,
      int shownChars,
      McpSessions mcpSessions) {
    this.sessions = sessions;
    this.catalog = catalog;
    this.timer = timer;
    this.shownChars = shownChars;
    this.mcpSessions = mcpSessions;
  }

  /** What a tool does for a user with its checked arguments. */
  private interface Handler {
    CompletionStage<CallToolResult> call(
        UserId user, McpAsyncServerExchange exchange, CallToolRequest request);
  }

  List<AsyncToolSpecification> specifications() {
    return List.of(
        tool("execute_python_code", this::execute),
        tool("start_python_session", this::start),
        tool("list_python_sessions", this::list),
        tool("stop_python_session", this::stop),
        tool("interrupt_python_session", this::interrupt),
        tool("restart_python_session", this::restart));
  }

  private AsyncToolSpecification tool(String name, Handler handler) {
    return AsyncToolSpecification.builder()
        .tool(catalog.tool(name))
        .callHandler((exchange, request) -> answer(handler, exchange, request))
        .build();
  }

  /** Whatever goes wrong in a tool is a result, not a protocol error. */
  private static Mono<CallToolResult> answer(
      Handler handler, McpAsyncServerExchange exchange, CallToolRequest request) {
    return Mono.defer(
            () -> {
              UserId user = (UserId) exchange.transportContext().get(McpEndpoint.USER);
              return Mono.fromCompletionStage(handler.call(user, exchange, request));
            })
        .onErrorResume(failure -> Mono.just(failed(failure)));
  }

  private static CallToolResult failed(Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    if (cause instanceof SessionException known) {
      return ToolResults.error(String.valueOf(known.getMessage()));
    }
    LOG.log(System.Logger.Level.ERROR, "a tool failed", cause);
    return ToolResults.error("internal error; the server's log says more");
  }

  private CompletionStage<CallToolResult> execute(
      UserId user, McpAsyncServerExchange exchange, CallToolRequest request) {
    Optional<SessionId> named = sessionId(request);
    ExecutionTarget target =
        named
            .<ExecutionTarget>map(ExecutionTarget.Named::new)
            .orElseGet(() -> new ExecutionTarget.Implicit(exchange.sessionId()));
    CompletionStage<CallToolResult> result = execute(user, exchange, request, target);
    McpSessionId own = new McpSessionId(exchange.sessionId());
    if (named.isEmpty() && !mcpSessions.isOpen(own)) {
      // It ended between the check of this request and now; its Python session must not outlive it.
      endImplicit(sessions, user, own);
    }
    return result;
  }

  /** Ends the Python session that belongs to an MCP session, if it has one. */
  static void endImplicit(SessionManager sessions, UserId user, McpSessionId mcpSession) {
    sessions
        .stop(new SessionKey.Implicit(user, mcpSession.value()), StopReason.REQUESTED)
        .whenComplete(
            (info, none) ->
                LOG.log(System.Logger.Level.DEBUG, "an MCP session's own Python ended"));
  }

  private CompletionStage<CallToolResult> execute(
      UserId user,
      McpAsyncServerExchange exchange,
      CallToolRequest request,
      ExecutionTarget target) {
    Optional<SessionId> named = sessionId(request);
    ExecutionOrder order =
        new ExecutionOrder(target, argument(request, "command").orElse(""), Optional.empty());
    Optional<Object> token = Optional.ofNullable(request.progressToken());
    if (token.isEmpty()) {
      return sessions
          .execute(user, order, OutputListener.NONE)
          .thenApply(result -> ToolResults.execution(result, named, shownChars));
    }
    ProgressReporter progress = new ProgressReporter(exchange, token.orElseThrow(), timer);
    return sessions
        .execute(user, order, progress)
        .whenComplete((result, failure) -> progress.close())
        .thenApply(result -> ToolResults.execution(result, named, shownChars));
  }

  private CompletionStage<CallToolResult> start(
      UserId user, McpAsyncServerExchange exchange, CallToolRequest request) {
    return sessions
        .start(user, sessionId(request))
        .thenApply(info -> ToolResults.session(info, "active"));
  }

  private CompletionStage<CallToolResult> list(
      UserId user, McpAsyncServerExchange exchange, CallToolRequest request) {
    return CompletableFuture.completedStage(ToolResults.sessions(sessions.list(user)));
  }

  private CompletionStage<CallToolResult> stop(
      UserId user, McpAsyncServerExchange exchange, CallToolRequest request) {
    return sessions
        .stop(user, requiredId(request))
        .thenApply(info -> ToolResults.session(info, "stopped"));
  }

  private CompletionStage<CallToolResult> interrupt(
      UserId user, McpAsyncServerExchange exchange, CallToolRequest request) {
    SessionId id = requiredId(request);
    boolean running = sessions.interrupt(new SessionKey.Named(user, id));
    return CompletableFuture.completedStage(ToolResults.interrupted(id, running));
  }

  private CompletionStage<CallToolResult> restart(
      UserId user, McpAsyncServerExchange exchange, CallToolRequest request) {
    return sessions
        .restart(new SessionKey.Named(user, requiredId(request)))
        .thenApply(info -> ToolResults.session(info, "active"));
  }

  private static SessionId requiredId(CallToolRequest request) {
    return new SessionId(argument(request, "session_id").orElse(""));
  }

  private static Optional<SessionId> sessionId(CallToolRequest request) {
    return argument(request, "session_id").map(SessionId::new);
  }

  /** The SDK has checked the arguments against the tool's schema, so what is there is a string. */
  private static Optional<String> argument(CallToolRequest request, String name) {
    Map<String, Object> arguments = request.arguments();
    return Optional.ofNullable(arguments)
        .map(map -> map.get(name))
        .filter(String.class::isInstance)
        .map(String.class::cast);
  }
}
