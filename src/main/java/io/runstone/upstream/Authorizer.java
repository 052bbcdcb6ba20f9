package io.runstone.upstream;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Proves to one upstream server whose requests these are. It is asked for every request, and nobody
 * keeps what it says. Thread-safe; nothing in it waits.
 */
public interface Authorizer {
  /** For servers that want nothing. */
  Authorizer NONE = () -> CompletableFuture.completedStage(Optional.empty());

  /**
   * The value of {@code Authorization}; empty for none. Fails with an {@link UpstreamException},
   * such as that the user has to consent first.
   */
  CompletionStage<Optional<String>> header();

  /**
   * Hears that the server refused a request with 401 or 403. Completes with whether it makes sense
   * to send the request once more, with a new header; fails with the {@link UpstreamException} that
   * the caller is to get.
   *
   * @param challenge {@code WWW-Authenticate}, or empty
   */
  default CompletionStage<Boolean> refused(int status, String challenge) {
    return CompletableFuture.failedStage(
        new UpstreamException(
            UpstreamException.Kind.FORBIDDEN,
            "the server refuses the request (HTTP " + status + "); ask its administrator"));
  }
}
