package io.runstone.upstream;

import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * One conversation with an upstream MCP server; calls may run at the same time. Thread-safe;
 * nothing in it waits, and failures are {@link UpstreamException}s.
 */
public interface UpstreamConnection {

  /** Every tool of the server, at most 1,000. */
  CompletionStage<List<UpstreamTool>> listTools(Authorizer authorizer);

  /** Calls a tool, at most once on the wire. */
  CompletionStage<UpstreamResult> call(UpstreamCall call, Authorizer authorizer);

  /** Whether the server keeps nothing of a conversation: it speaks 2026-07-28, which has none. */
  boolean isStateless();

  /** The revision of MCP that is spoken. */
  String protocolVersion();

  /** Ends the conversation, also for the server, and every call that runs. Idempotent. */
  CompletionStage<Void> close(Authorizer authorizer);
}
