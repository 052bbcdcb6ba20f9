package io.runstone.mcp.python;

import io.runstone.kernel.ExecutionResult;
import io.runstone.kernel.OutputListener;
import io.runstone.kernel.SessionState;
import io.runstone.mcp.feature.LogLevel;
import io.runstone.mcp.feature.McpSessionId;
import io.runstone.mcp.feature.Tool;
import io.runstone.mcp.feature.ToolCall;
import io.runstone.mcp.feature.ToolResult;
import io.runstone.security.Scope;
import io.runstone.security.UserId;
import io.runstone.session.ExecutionOrder;
import io.runstone.session.ExecutionTarget;
import io.runstone.session.SessionException;
import io.runstone.session.SessionId;
import io.runstone.session.SessionKey;
import io.runstone.session.SessionManager;
import io.runstone.session.StopReason;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Predicate;

/** The tools over Python sessions. Nothing in them waits. Thread-safe. */
public final class SessionTools {
  private static final System.Logger LOG = System.getLogger(SessionTools.class.getName());
  private static final double NANOS = 1e9;

  /** About 31 years, inside what a long of nanoseconds holds. */
  private static final double LONGEST_SECONDS = 1e9;

  private final SessionManager sessions;
  private final ToolCatalog catalog;
  private final ScheduledExecutorService timer;
  private final int shownChars;
  private final Predicate<McpSessionId> isOpen;

  /**
   * Creates the tools.
   *
   * @param shownChars how much of a text a result shows
   * @param isOpen whether an MCP session goes on
   */
  public SessionTools(
      SessionManager sessions,
      ToolCatalog catalog,
      ScheduledExecutorService timer,
      int shownChars,
      Predicate<McpSessionId> isOpen) {
    this.sessions = sessions;
    this.catalog = catalog;
    this.timer = timer;
    this.shownChars = shownChars;
    this.isOpen = isOpen;
  }

  /** The tools, in the order they are listed. */
  public List<Tool> tools() {
    return List.of(
        tool("execute_python_code", Scope.EXECUTE, this::execute),
        tool("start_python_session", Scope.SESSIONS, this::start),
        tool("list_python_sessions", Scope.SESSIONS, this::list),
        tool("stop_python_session", Scope.SESSIONS, this::stop),
        tool("interrupt_python_session", Scope.SESSIONS, this::interrupt),
        tool("restart_python_session", Scope.SESSIONS, this::restart));
  }

  private Tool tool(String name, Scope scope, Tool.Handler handler) {
    return new Tool(
        catalog.definition(name),
        Optional.of(scope),
        handler.withFailuresInWords(SessionTools::words));
  }

  private static Optional<String> words(Throwable cause) {
    return cause instanceof SessionException
        ? Optional.of(String.valueOf(cause.getMessage()))
        : Optional.empty();
  }

  private CompletionStage<ToolResult> execute(ToolCall call) {
    Optional<SessionId> named = sessionId(call);
    call.watchClient();
    CompletionStage<ToolResult> result = run(call, named);
    Optional<McpSessionId> own = named.isEmpty() ? call.mcpSession() : Optional.empty();
    if (own.isPresent() && !isOpen.test(own.orElseThrow())) {
      // It ended between the check of this request and now; its Python session must not outlive it.
      endImplicit(sessions, call.user(), own.orElseThrow());
    }
    return result;
  }

  /** Ends the Python session that belongs to an MCP session, if it has one. */
  public static void endImplicit(SessionManager sessions, UserId user, McpSessionId mcpSession) {
    sessions
        .stop(new SessionKey.Implicit(user, mcpSession.value()), StopReason.REQUESTED)
        .whenComplete(
            (info, none) ->
                LOG.log(System.Logger.Level.DEBUG, "an MCP session's own Python ended"));
  }

  private CompletionStage<ToolResult> run(ToolCall call, Optional<SessionId> named) {
    ExecutionOrder order =
        new ExecutionOrder(
            target(call, named),
            text(call, "command").orElse(""),
            timeout(call),
            call.cancellation());
    if (!call.wantsProgress()) {
      return answer(sessions.execute(call.requester(), order, OutputListener.NONE), call, named);
    }
    ProgressReporter progress = new ProgressReporter(call, timer);
    return answer(
        sessions
            .execute(call.requester(), order, progress)
            .whenComplete((result, failure) -> progress.close()),
        call,
        named);
  }

  private CompletionStage<ToolResult> answer(
      CompletionStage<ExecutionResult> execution, ToolCall call, Optional<SessionId> named) {
    return execution.thenApply(
        result -> {
          if (result.state() == SessionState.LOST) {
            call.log(LogLevel.WARNING, "The session's variables are lost.");
          }
          return ToolResults.execution(result, named, shownChars);
        });
  }

  private static ExecutionTarget target(ToolCall call, Optional<SessionId> named) {
    if (named.isPresent()) {
      return new ExecutionTarget.Named(named.orElseThrow());
    }
    return call.mcpSession()
        .<ExecutionTarget>map(own -> new ExecutionTarget.Implicit(own.value()))
        .orElseGet(ExecutionTarget.OneShot::new);
  }

  private CompletionStage<ToolResult> start(ToolCall call) {
    return sessions
        .start(call.requester(), sessionId(call))
        .thenApply(info -> ToolResults.session(info, "active"));
  }

  private CompletionStage<ToolResult> list(ToolCall call) {
    return CompletableFuture.completedStage(ToolResults.sessions(sessions.list(call.user())));
  }

  private CompletionStage<ToolResult> stop(ToolCall call) {
    return sessions
        .stop(call.requester(), requiredId(call))
        .thenApply(info -> ToolResults.session(info, "stopped"));
  }

  private CompletionStage<ToolResult> interrupt(ToolCall call) {
    SessionId id = requiredId(call);
    boolean running = sessions.interrupt(call.requester(), id);
    return CompletableFuture.completedStage(ToolResults.interrupted(id, running));
  }

  private CompletionStage<ToolResult> restart(ToolCall call) {
    return sessions
        .restart(call.requester(), requiredId(call))
        .thenApply(info -> ToolResults.session(info, "active"));
  }

  private static SessionId requiredId(ToolCall call) {
    return new SessionId(text(call, "session_id").orElse(""));
  }

  private static Optional<SessionId> sessionId(ToolCall call) {
    return text(call, "session_id").map(SessionId::new);
  }

  private static Optional<Duration> timeout(ToolCall call) {
    return Optional.ofNullable(call.arguments().get("timeout"))
        .filter(Number.class::isInstance)
        .map(seconds -> ((Number) seconds).doubleValue())
        .map(seconds -> Duration.ofNanos((long) (Math.min(seconds, LONGEST_SECONDS) * NANOS)));
  }

  /** The arguments were checked against the tool's schema, so what is there is a string. */
  private static Optional<String> text(ToolCall call, String name) {
    return Optional.ofNullable(call.arguments().get(name))
        .filter(String.class::isInstance)
        .map(String.class::cast);
  }
}
