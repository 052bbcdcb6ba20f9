package io.runstone.mcp.modern;

import io.runstone.http.ResponseStream;
import io.runstone.kernel.Cancellation;
import io.runstone.security.Requester;
import io.runstone.security.UserId;
import java.util.concurrent.CompletableFuture;

/**
 * A request that is being answered. Thread-safe.
 *
 * @param cancellation of the work that it started
 * @param stream the stream of the answer, once there is one
 */
record ModernCall(
    Requester requester, Cancellation cancellation, CompletableFuture<ResponseStream> stream) {
  /** Key of the call in the SDK's transport context. */
  static final String KEY = "runstone.call";

  /** Whose request it is. */
  UserId user() {
    return requester.user();
  }
}
