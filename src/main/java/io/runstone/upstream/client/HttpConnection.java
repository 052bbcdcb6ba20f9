package io.runstone.upstream.client;

import io.runstone.upstream.Authorizer;
import io.runstone.upstream.UpstreamCall;
import io.runstone.upstream.UpstreamConnection;
import io.runstone.upstream.UpstreamResult;
import io.runstone.upstream.UpstreamTool;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A conversation that has begun, as the rest of the product sees it. It ends with {@link #close}.
 * Thread-safe.
 */
final class HttpConnection implements UpstreamConnection {
  private static final int HEADER_MISMATCH = -32020;

  private final Conversation conversation;
  private final Handshake.Begun begun;
  private final Runnable onClose;
  private final Optional<ToolsListener> listener;
  private final AtomicBoolean ended = new AtomicBoolean();
  private final CompletableFuture<Void> ending = new CompletableFuture<>();

  /** What calls repeat in headers, as far as the tools were listed. */
  private volatile Map<String, ParamHeaders> paramHeaders = Map.of();

  /**
   * Creates the connection.
   *
   * @param authorizer for the stream on which the server tells of changes
   * @param onClose is run once at the end
   */
  HttpConnection(Handshake.Begun begun, Authorizer authorizer, Runnable onClose) {
    this.conversation = begun.conversation();
    this.begun = begun;
    this.onClose = onClose;
    boolean tells =
        Boolean.TRUE.equals(Json.child(begun.capabilities().get("tools")).get("listChanged"));
    this.listener =
        tells
            ? Optional.of(
                new ToolsListener(conversation, authorizer, begun.ids().incrementAndGet()))
            : Optional.empty();
  }

  /** Listens for changes, if the server tells of them. */
  void listen() {
    listener.ifPresent(ToolsListener::start);
  }

  @Override
  public CompletionStage<List<UpstreamTool>> listTools(Authorizer authorizer) {
    return Stages.plain(list(authorizer).thenApply(ToolPages.Listing::tools));
  }

  private CompletableFuture<ToolPages.Listing> list(Authorizer authorizer) {
    return new ToolPages(conversation, authorizer)
        .list()
        .whenComplete(
            (listing, failure) -> {
              if (listing != null) {
                paramHeaders = listing.headers();
              }
            });
  }

  @Override
  public CompletionStage<UpstreamResult> call(UpstreamCall call, Authorizer authorizer) {
    return Stages.plain(
        ask(call, authorizer)
            .thenCompose(answer -> withHeaders(call, authorizer, answer))
            .thenApply(
                answer -> {
                  Answer.Result result = Answers.result(answer, conversation.dialect());
                  return new UpstreamResult(result.value(), result.bytes());
                }));
  }

  private CompletableFuture<Answer> ask(UpstreamCall call, Authorizer authorizer) {
    String token = "p" + begun.ids().incrementAndGet();
    Map<String, Object> params = new LinkedHashMap<>();
    params.put("name", call.tool());
    params.put("arguments", call.arguments());
    params.put("_meta", Map.of("progressToken", token));
    Question question =
        conversation.ask(
            new Ask(
                "tools/call",
                params,
                paramHeaders.getOrDefault(call.tool(), ParamHeaders.NONE).headers(call.arguments()),
                call.timeout().orElse(conversation.wire().server().timeout()),
                new ProgressRelay(token, call.progress(), conversation.wire().nanoTime())),
            authorizer);
    // One cancellation may serve thousands of calls, and must not keep those that are over.
    AtomicReference<@Nullable Question> open = new AtomicReference<>(question);
    call.cancellation()
        .onCancel(
            why -> {
              Question one = open.get();
              if (one != null) {
                conversation.abandon(one, Failures.cancelled(why));
              }
            });
    return question.answer().whenComplete((answer, failure) -> open.set(null));
  }

  /**
   * A call that was refused for its headers was not carried out: the tool is another than it was,
   * or was never listed. MCP 2026-07-28, "Client Behavior".
   */
  private CompletableFuture<Answer> withHeaders(
      UpstreamCall call, Authorizer authorizer, Answer answer) {
    if (conversation.dialect() instanceof Dialect.Modern
        && answer instanceof Answer.Refusal refusal
        && refusal.status() == 400
        && refusal.code() == HEADER_MISMATCH) {
      return list(authorizer).thenCompose(listing -> ask(call, authorizer));
    }
    return CompletableFuture.completedFuture(answer);
  }

  /**
   * The revision without sessions, or a server of the others that gave none: nothing ties its
   * requests together then.
   */
  @Override
  public boolean isStateless() {
    return conversation.dialect().session().isEmpty();
  }

  @Override
  public String protocolVersion() {
    return conversation.dialect().version();
  }

  @Override
  public CompletionStage<Void> close(Authorizer authorizer) {
    if (ended.compareAndSet(false, true)) {
      end();
      conversation
          .delete(authorizer)
          .whenComplete(
              (done, failure) -> {
                onClose.run();
                ending.complete(null);
              });
    }
    return ending.minimalCompletionStage();
  }

  /** Ends everything at once, without a word to the server. */
  void end() {
    listener.ifPresent(one -> one.stop(Failures.closed()));
    conversation.close();
  }
}
