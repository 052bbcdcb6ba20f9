package io.runstone.upstream;

import io.runstone.security.UserId;
import java.net.URI;
import java.util.Optional;

/** The port to what users prove themselves with to upstream servers. Thread-safe; never waits. */
public interface Credentials {
  /** For tests and servers that all want nothing. */
  Credentials NONE = (caller, server) -> Authorizer.NONE;

  /** What proves a caller's requests to a server. */
  Authorizer authorizer(UpstreamCaller caller, UpstreamServer server);

  /**
   * Changes whenever a user's standing with a server does: consent, more consent, revocation,
   * another secret. Not when a token is merely refreshed. Sessions of another version are not used
   * any more.
   */
  default long version(UserId user, UpstreamServer server) {
    return 0;
  }

  /** Where the user has to consent before the server can be used; empty if there is no need. */
  default Optional<URI> missingConsent(UserId user, UpstreamServer server) {
    return Optional.empty();
  }
}
