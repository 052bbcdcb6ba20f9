package io.runstone.mcp;

import io.modelcontextprotocol.server.McpAsyncServerExchange;
import io.modelcontextprotocol.server.McpServerFeatures.AsyncResourceTemplateSpecification;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceRequest;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceResult;
import io.runstone.kernel.ExecutionId;
import io.runstone.kernel.MediaTypes;
import io.runstone.security.UserId;
import io.runstone.session.SessionManager;
import io.runstone.session.StoredOutput;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import reactor.core.publisher.Mono;

/** The outputs of past executions as resources, {@code runstone://executions/…}. Thread-safe. */
final class OutputResources {
  private static final String TEMPLATE = "runstone://executions/{execution_id}/outputs/{n}";
  private static final Pattern URI =
      Pattern.compile("runstone://executions/([0-9a-f-]{1,64})/outputs/([0-9]{1,6})");

  /** MCP 2025-06-18, "Resources", error handling. */
  private static final int RESOURCE_NOT_FOUND = -32002;

  /**
   * JSON has no streams: of a larger output a client gets the beginning over MCP, and all over
   * REST.
   */
  private static final int MAX_BYTES = 8 * 1024 * 1024;

  private final SessionManager sessions;

  OutputResources(SessionManager sessions) {
    this.sessions = sessions;
  }

  List<AsyncResourceTemplateSpecification> templates() {
    McpSchema.ResourceTemplate template =
        McpSchema.ResourceTemplate.builder(TEMPLATE, "execution output")
            .title("Output of an execution")
            .description(
                "An image, a table or the whole text that a result of execute_python_code links to.")
            .build();
    return List.of(new AsyncResourceTemplateSpecification(template, this::read));
  }

  private Mono<ReadResourceResult> read(
      McpAsyncServerExchange exchange, ReadResourceRequest request) {
    return Mono.fromCallable(
        () -> {
          UserId user = (UserId) exchange.transportContext().get(McpEndpoint.USER);
          StoredOutput output = find(user, request.uri()).orElseThrow(OutputResources::notFound);
          return new ReadResourceResult(List.of(contents(request.uri(), output)), null);
        });
  }

  private Optional<StoredOutput> find(UserId user, String uri) {
    Matcher matcher = URI.matcher(uri);
    return matcher.matches()
        ? sessions.output(
            user, new ExecutionId(matcher.group(1)), Integer.parseInt(matcher.group(2)))
        : Optional.empty();
  }

  private static McpError notFound() {
    return McpError.builder(RESOURCE_NOT_FOUND)
        .message("there is no such output, or not any more")
        .build();
  }

  private static McpSchema.ResourceContents contents(String uri, StoredOutput output)
      throws IOException {
    byte[] bytes;
    try (InputStream in = output.open()) {
      bytes = in.readNBytes(MAX_BYTES);
    }
    return MediaTypes.isBinary(output.mediaType())
        ? McpSchema.BlobResourceContents.builder(uri, Base64.getEncoder().encodeToString(bytes))
            .mimeType(output.mediaType())
            .build()
        : McpSchema.TextResourceContents.builder(uri, new String(bytes, StandardCharsets.UTF_8))
            .mimeType(output.mediaType())
            .build();
  }
}
