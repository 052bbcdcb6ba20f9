package io.runstone.mcp.modern;

import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.modern.server.feature.McpChangePublisher;
import io.modelcontextprotocol.modern.server.feature.ServerChange;
import io.runstone.mcp.feature.Change;
import io.runstone.mcp.feature.Changes;
import io.runstone.security.UserId;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxSink;

/**
 * The changes that concern the user of a request, for the SDK. It asks for changes without saying
 * for whom, so the user comes from the context of the subscription. Thread-safe.
 */
record UserChanges(Changes source) implements McpChangePublisher {
  @Override
  public Flux<ServerChange> changes() {
    return Flux.deferContextual(
        context -> {
          McpTransportContext transport = context.get(McpTransportContext.KEY);
          UserId user = ((ModernCall) transport.get(ModernCall.KEY)).user();
          return Flux.create(
              sink -> {
                Changes.Registration registration =
                    source.listen(user, change -> sink.next(serverChange(change)));
                sink.onDispose(registration::close);
              },
              FluxSink.OverflowStrategy.LATEST);
        });
  }

  private static ServerChange serverChange(Change change) {
    if (change instanceof Change.Tools) {
      return new ServerChange.ToolsListChanged();
    } else if (change instanceof Change.Prompts) {
      return new ServerChange.PromptsListChanged();
    } else if (change instanceof Change.Resource resource) {
      return new ServerChange.ResourceUpdated(resource.uri());
    }
    return new ServerChange.ResourcesListChanged();
  }
}
