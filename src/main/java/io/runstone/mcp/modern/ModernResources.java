package io.runstone.mcp.modern;

import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.modern.McpException;
import io.modelcontextprotocol.modern.McpSchema;
import io.modelcontextprotocol.modern.server.McpAsyncResponse;
import io.modelcontextprotocol.modern.server.McpRequestContext;
import io.modelcontextprotocol.modern.server.feature.McpAsyncResource;
import io.modelcontextprotocol.modern.server.feature.McpAsyncResourceRepository;
import io.modelcontextprotocol.modern.server.feature.ResourceTemplatesPage;
import io.modelcontextprotocol.modern.server.feature.ResourcesPage;
import io.runstone.mcp.feature.ResourceCatalog;
import io.runstone.mcp.feature.ResourceData;
import io.runstone.mcp.wire.WireForms;
import io.runstone.security.Requester;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** The resources, for the SDK. Thread-safe. */
final class ModernResources implements McpAsyncResourceRepository {
  private final ResourceCatalog catalog;
  private final McpJsonMapper json;
  private final Executor files;

  /**
   * Creates the repository.
   *
   * @param files runs what reads files
   */
  ModernResources(ResourceCatalog catalog, McpJsonMapper json, Executor files) {
    this.catalog = catalog;
    this.json = json;
    this.files = files;
  }

  @Override
  public boolean supportsSubscribe() {
    return true;
  }

  @Override
  public Mono<ResourcesPage> list(McpRequestContext context, @Nullable String cursor) {
    Requester requester = ModernEndpoint.call(context).requester();
    return reading(
        () -> {
          var page = catalog.list(requester, Optional.ofNullable(cursor)).map(WireForms::of);
          List<McpSchema.Resource> items =
              page.items().stream()
                  .map(form -> json.convertValue(form, McpSchema.Resource.class))
                  .toList();
          return new ResourcesPage(items, page.next().orElse(null), null, null);
        });
  }

  @Override
  public Mono<ResourceTemplatesPage> listTemplates(
      McpRequestContext context, @Nullable String cursor) {
    return reading(
        () -> {
          var page = catalog.templates(Optional.ofNullable(cursor)).map(WireForms::of);
          List<McpSchema.ResourceTemplate> items =
              page.items().stream()
                  .map(form -> json.convertValue(form, McpSchema.ResourceTemplate.class))
                  .toList();
          return new ResourceTemplatesPage(items, page.next().orElse(null), null, null);
        });
  }

  @Override
  public Mono<McpAsyncResource> find(McpRequestContext context, String uri) {
    Requester requester = ModernEndpoint.call(context).requester();
    return reading(() -> catalog.read(requester, uri))
        .flatMap(Mono::justOrEmpty)
        .map(data -> McpAsyncResource.of((again, request) -> Mono.just(outcome(data))));
  }

  private McpAsyncResponse<McpSchema.ReadResourceOutcome> outcome(ResourceData data) {
    Map<String, Object> form = WireForms.of(data);
    McpSchema.ResourceContents contents =
        data.binary()
            ? json.convertValue(form, McpSchema.BlobResourceContents.class)
            : json.convertValue(form, McpSchema.TextResourceContents.class);
    return McpAsyncResponse.result(
        McpSchema.ReadResourceResult.builder(List.of(contents))
            .ttlMs(0L)
            .cacheScope(McpSchema.CacheScope.PRIVATE)
            .build());
  }

  /** Work that reads files. */
  private interface Reading<T> {
    T run() throws IOException, ResourceCatalog.BadCursorException;
  }

  private <T> Mono<T> reading(Reading<T> work) {
    CompletableFuture<T> result = new CompletableFuture<>();
    files.execute(
        () -> {
          try {
            result.complete(work.run());
          } catch (ResourceCatalog.BadCursorException e) {
            result.completeExceptionally(
                McpException.invalidParams(String.valueOf(e.getMessage())));
          } catch (IOException | RuntimeException e) {
            result.completeExceptionally(e);
          }
        });
    return Mono.fromCompletionStage(result);
  }
}
