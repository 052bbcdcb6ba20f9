package io.runstone.console;

import io.runstone.security.Requester;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Optional;

/**
 * A browser whose user is known. Immutable.
 *
 * @param id stands for it; a digest of what its cookie has
 * @param csrf what its forms have to have
 * @param until when it ends
 */
record BrowserSession(String id, Requester requester, String csrf, Instant until) {
  private static final String ATTRIBUTE = "io.runstone.browser";

  /** Leaves the session in a request that is of it. */
  void leaveIn(HttpServletRequest request) {
    request.setAttribute(ATTRIBUTE, this);
  }

  /** The session that a request is of; none if the request came here in another way. */
  static Optional<BrowserSession> of(HttpServletRequest request) {
    return request.getAttribute(ATTRIBUTE) instanceof BrowserSession session
        ? Optional.of(session)
        : Optional.empty();
  }

  /** Whether a form is of this session; takes as long for any. */
  boolean sent(String token) {
    return MessageDigest.isEqual(
        csrf.getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8));
  }

  /** Leaves the secrets out. */
  @Override
  public String toString() {
    return "BrowserSession[" + requester.user() + "]";
  }
}
