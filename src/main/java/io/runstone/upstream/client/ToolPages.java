package io.runstone.upstream.client;

import io.runstone.upstream.Authorizer;
import io.runstone.upstream.UpstreamTool;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Asks for a server's tools page by page, and takes no more than is sensible: 1,000 tools, 100
 * pages, and as many bytes as one answer may have. One is used once; its steps follow each other.
 */
final class ToolPages {
  private static final System.Logger LOG = System.getLogger(ToolPages.class.getName());
  private static final int MAX_TOOLS = 1000;
  private static final int MAX_PAGES = 100;
  private static final int MAX_NAME = 128;

  private final Conversation conversation;
  private final Authorizer authorizer;
  private final Map<String, UpstreamTool> tools = new LinkedHashMap<>();
  private final Map<String, ParamHeaders> headers = new LinkedHashMap<>();
  private int pages;
  private int refused;
  private long bytes;

  ToolPages(Conversation conversation, Authorizer authorizer) {
    this.conversation = conversation;
    this.authorizer = authorizer;
  }

  /**
   * The tools of a server.
   *
   * @param headers what calls of them repeat, by their names
   */
  record Listing(List<UpstreamTool> tools, Map<String, ParamHeaders> headers) {
    Listing {
      tools = List.copyOf(tools);
      headers = Map.copyOf(headers);
    }
  }

  /** Asks. */
  CompletableFuture<Listing> list() {
    return page(Optional.empty());
  }

  private CompletableFuture<Listing> page(Optional<String> cursor) {
    Map<String, Object> params = new LinkedHashMap<>();
    cursor.ifPresent(value -> params.put("cursor", value));
    return conversation
        .ask(
            Ask.plain("tools/list", params, conversation.wire().settings().answerTimeout()),
            authorizer)
        .answer()
        .thenCompose(
            answer -> {
              Optional<String> next = take(Answers.result(answer, conversation.dialect()));
              return next.isPresent() ? page(next) : CompletableFuture.completedFuture(listing());
            });
  }

  private Optional<String> take(Answer.Result result) {
    pages++;
    bytes += result.bytes();
    if (bytes > conversation.wire().settings().maxBytes()) {
      throw Failures.tooLarge(conversation.wire().settings().maxBytes());
    } else if (!(result.value().get("tools") instanceof List<?> page)) {
      throw Failures.garbage("the list of tools is none");
    } else {
      page.forEach(tool -> add(Json.child(tool)));
    }
    boolean more = pages < MAX_PAGES && tools.size() < MAX_TOOLS;
    return result.value().get("nextCursor") instanceof String next && !next.isEmpty() && more
        ? Optional.of(next)
        : Optional.empty();
  }

  private void add(Map<String, Object> tool) {
    Optional<ParamHeaders> params =
        conversation.dialect() instanceof Dialect.Modern
            ? ParamHeaders.of(tool)
            : Optional.of(ParamHeaders.NONE);
    if (!(tool.get("name") instanceof String name) || !isName(name) || params.isEmpty()) {
      refused++;
    } else if (tools.size() < MAX_TOOLS) {
      tools.putIfAbsent(name, new UpstreamTool(conversation.wire().server().name(), tool));
      headers.putIfAbsent(name, params.orElseThrow());
    }
  }

  private static boolean isName(String name) {
    return !name.isEmpty()
        && name.length() <= MAX_NAME
        && name.chars().noneMatch(Character::isISOControl);
  }

  private Listing listing() {
    if (refused > 0) {
      LOG.log(
          System.Logger.Level.WARNING,
          "{0}: {1} tools are left out, for their definitions are not valid",
          conversation.wire().server().name(),
          refused);
    }
    return new Listing(List.copyOf(tools.values()), headers);
  }
}
