package io.runstone.mcp.modern;

import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.modern.McpSchema;
import io.modelcontextprotocol.modern.McpSchema.CallToolOutcome;
import io.modelcontextprotocol.modern.server.McpAsyncResponse;
import io.modelcontextprotocol.modern.server.McpRequestContext;
import io.modelcontextprotocol.modern.server.feature.McpAsyncTool;
import io.modelcontextprotocol.modern.server.feature.McpAsyncToolRepository;
import io.modelcontextprotocol.modern.server.feature.ToolsPage;
import io.runstone.mcp.feature.Tool;
import io.runstone.mcp.wire.WireForms;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The tools, for the SDK. Each answers on an event stream, however quick it is: there is no other
 * way to notice that a client goes away. Immutable and thread-safe.
 */
final class ModernTools implements McpAsyncToolRepository {
  private final Map<String, McpAsyncTool> tools = new LinkedHashMap<>();
  private final McpJsonMapper json;
  private final Duration watchInterval;

  ModernTools(
      List<Tool> tools, List<McpAsyncTool> more, McpJsonMapper json, Duration watchInterval) {
    this.json = json;
    this.watchInterval = watchInterval;
    tools.forEach(tool -> this.tools.put(tool.name(), adapt(tool)));
    more.forEach(tool -> this.tools.put(tool.definition().name(), tool));
  }

  private McpAsyncTool adapt(Tool tool) {
    return McpAsyncTool.of(
        json.convertValue(tool.definition(), McpSchema.Tool.class),
        (context, request) ->
            Mono.just(
                McpAsyncResponse.<CallToolOutcome>streaming(
                    notifier -> {
                      ModernToolCall call =
                          new ModernToolCall(
                              ModernEndpoint.call(context),
                              context,
                              notifier,
                              request.arguments() == null ? Map.of() : request.arguments(),
                              watchInterval);
                      return Mono.defer(() -> Mono.fromCompletionStage(tool.handler().call(call)))
                          .doOnTerminate(call::answered)
                          .doOnCancel(call::answered)
                          .map(
                              result ->
                                  json.convertValue(
                                      WireForms.of(result), McpSchema.CallToolResult.class));
                    })));
  }

  @Override
  public Mono<ToolsPage> list(McpRequestContext context, @Nullable String cursor) {
    return Mono.just(ToolsPage.of(tools.values().stream().map(McpAsyncTool::definition).toList()));
  }

  @Override
  public Mono<McpAsyncTool> find(McpRequestContext context, String name) {
    return Mono.justOrEmpty(tools.get(name));
  }
}
