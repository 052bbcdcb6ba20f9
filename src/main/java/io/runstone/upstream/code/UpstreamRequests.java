package io.runstone.upstream.code;

import io.runstone.concurrent.Causes;
import io.runstone.kernel.HostCall;
import io.runstone.kernel.HostCalls;
import io.runstone.kernel.HostReply;
import io.runstone.upstream.UpstreamCall;
import io.runstone.upstream.UpstreamCaller;
import io.runstone.upstream.UpstreamException;
import io.runstone.upstream.UpstreamResult;
import io.runstone.upstream.Upstreams;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** Does what the module {@code upstream} asks for, on behalf of one caller. Thread-safe. */
final class UpstreamRequests implements HostCalls {
  private static final int MAX_NOTE = 300;

  private final Upstreams upstreams;
  private final UpstreamCaller caller;
  private final Consumer<String> progress;

  UpstreamRequests(Upstreams upstreams, UpstreamCaller caller, Consumer<String> progress) {
    this.upstreams = upstreams;
    this.caller = caller;
    this.progress = progress;
  }

  @Override
  public CompletionStage<HostReply> call(HostCall call) {
    try {
      return answer(RequestBody.read(call)).exceptionally(UpstreamRequests::refusal);
    } catch (UpstreamException e) {
      return CompletableFuture.completedStage(refusal(e));
    }
  }

  private CompletionStage<HostReply> answer(RequestBody request) {
    if (request instanceof RequestBody.Tools tools) {
      return upstreams.tools(caller, tools.server()).thenApply(ReplyBody::tools);
    } else if (request instanceof RequestBody.Search search) {
      return upstreams.search(caller, search.query(), search.limit()).thenApply(ReplyBody::matches);
    } else if (request instanceof RequestBody.Call call) {
      return call(call).thenApply(ReplyBody::result);
    }
    return CompletableFuture.completedStage(
        ReplyBody.servers(upstreams.servers(caller.requester())));
  }

  private CompletionStage<UpstreamResult> call(RequestBody.Call call) {
    String name = call.server() + "." + call.tool();
    note("calling " + name);
    return upstreams.call(
        caller,
        new UpstreamCall(
            call.server(),
            call.tool(),
            call.arguments(),
            call.timeout(),
            call.cancellation(),
            message -> note(name + ": " + message)));
  }

  /** On one line, and short: a tool's name and progress are anybody's words. */
  private void note(String text) {
    String line = text.length() > MAX_NOTE ? text.substring(0, MAX_NOTE) + "…" : text;
    progress.accept(line.replaceAll("\\p{Cntrl}+", " "));
  }

  private static HostReply refusal(Throwable failure) {
    Throwable cause = Causes.of(failure);
    if (cause instanceof UpstreamException e) {
      return new HostReply.Refusal(e.kind().label(), String.valueOf(e.getMessage()), e.link());
    }
    throw new CompletionException(cause);
  }
}
