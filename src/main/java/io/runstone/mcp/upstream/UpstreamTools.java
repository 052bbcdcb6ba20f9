package io.runstone.mcp.upstream;

import io.runstone.mcp.feature.McpSessionId;
import io.runstone.mcp.feature.Tool;
import io.runstone.mcp.feature.ToolCall;
import io.runstone.mcp.feature.ToolResult;
import io.runstone.security.Sha256;
import io.runstone.upstream.ServerName;
import io.runstone.upstream.UpstreamCall;
import io.runstone.upstream.UpstreamCaller;
import io.runstone.upstream.UpstreamException;
import io.runstone.upstream.UpstreamException.Kind;
import io.runstone.upstream.Upstreams;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** The tools over upstream servers. Nothing in them waits. Thread-safe. */
final class UpstreamTools {
  private static final int SHOWN_DIGITS = 24;
  private static final double MAX_SECONDS = 1e6;

  private final Upstreams upstreams;
  private final ToolText text;
  private final CallResults results;

  UpstreamTools(Upstreams upstreams, int shownChars) {
    this.upstreams = upstreams;
    this.text = new ToolText(shownChars);
    this.results = new CallResults(shownChars);
  }

  /**
   * The tools, in the order they are listed. None names a scope: which servers somebody may use is
   * decided for each server.
   */
  List<Tool> tools() {
    return List.of(
        tool("list_upstream_servers", this::list),
        tool("search_upstream_tools", this::search),
        tool("call_upstream_tool", this::call));
  }

  private static Tool tool(String name, Tool.Handler handler) {
    return new Tool(ToolDefinitions.of(name), handler.withFailuresInWords(UpstreamTools::words));
  }

  private static Optional<String> words(Throwable cause) {
    return cause instanceof UpstreamException known
        ? Optional.of(ToolText.trouble(known))
        : Optional.empty();
  }

  /** What of a user's owns an MCP session's conversations; no id, which would open the session. */
  static String owner(McpSessionId session) {
    return "direct:mcp:" + Sha256.hex(session.value()).substring(0, SHOWN_DIGITS);
  }

  private static UpstreamCaller caller(ToolCall call) {
    return new UpstreamCaller(
        call.requester(), call.mcpSession().map(UpstreamTools::owner).orElse("direct:"));
  }

  private CompletionStage<ToolResult> list(ToolCall call) {
    return CompletableFuture.completedStage(text.servers(upstreams.servers(call.requester())));
  }

  private CompletionStage<ToolResult> search(ToolCall call) {
    int limit = number(call, "limit").map(Number::intValue).orElse(ToolText.USUAL_LIMIT);
    boolean detail = Boolean.TRUE.equals(call.arguments().get("detail"));
    String query = string(call, "query").orElse("");
    UpstreamCaller caller = caller(call);
    // All of them, to say how many there are besides those that are shown.
    return string(call, "server")
        .map(server -> upstreams.search(caller, serverName(server), query, Integer.MAX_VALUE))
        .orElseGet(() -> upstreams.search(caller, query, Integer.MAX_VALUE))
        .thenApply(matches -> text.matches(matches, limit, detail));
  }

  private CompletionStage<ToolResult> call(ToolCall call) {
    call.watchClient();
    return upstreams
        .call(
            caller(call),
            new UpstreamCall(
                serverName(string(call, "server").orElse("")),
                string(call, "tool").orElse(""),
                arguments(call),
                number(call, "timeout").map(UpstreamTools::seconds),
                call.cancellation(),
                progress(call)))
        .thenApply(results::of);
  }

  /** MCP wants a value that grows; what the upstream counts is in its words. */
  private static Consumer<String> progress(ToolCall call) {
    AtomicInteger count = new AtomicInteger();
    return message ->
        call.progress(count.incrementAndGet(), OptionalDouble.empty(), ToolText.line(message));
  }

  private static ServerName serverName(String name) {
    if (!ServerName.isOne(name)) {
      throw new UpstreamException(
          Kind.UNKNOWN,
          "there is no upstream server of this name; list_upstream_servers shows which there are");
    }
    return new ServerName(name);
  }

  private static Map<String, Object> arguments(ToolCall call) {
    Map<String, Object> arguments = new LinkedHashMap<>();
    if (call.arguments().get("arguments") instanceof Map<?, ?> given) {
      given.forEach((name, value) -> arguments.put(String.valueOf(name), value));
    }
    return arguments;
  }

  private static Duration seconds(Number number) {
    return Duration.ofNanos((long) (Math.min(number.doubleValue(), MAX_SECONDS) * 1e9));
  }

  private static Optional<Number> number(ToolCall call, String name) {
    return call.arguments().get(name) instanceof Number number
        ? Optional.of(number)
        : Optional.empty();
  }

  private static Optional<String> string(ToolCall call, String name) {
    return call.arguments().get(name) instanceof String text ? Optional.of(text) : Optional.empty();
  }
}
