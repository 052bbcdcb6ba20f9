package io.runstone.mcp.legacy;

import io.runstone.kernel.Cancellation;
import io.runstone.security.Requester;
import io.runstone.security.UserId;

/**
 * A request that is being answered. Thread-safe.
 *
 * @param cancellation of the work that it started
 */
record ServerCall(Requester requester, Cancellation cancellation, EventStream stream) {
  /** Key of the call in the SDK's transport context. */
  static final String KEY = "runstone.call";

  /** Whose request it is. */
  UserId user() {
    return requester.user();
  }

  /** The client does not want an answer any more. */
  void cancel() {
    stream.abandon(); // MCP 2025-11-25, "Cancellation": no response is sent
    cancellation.cancel(", for the client cancelled it");
  }
}
