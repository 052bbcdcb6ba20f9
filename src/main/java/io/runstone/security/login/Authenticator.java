package io.runstone.security.login;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * Finds out who sent a request; there is one adapter per kind of login. Thread-safe.
 *
 * <p>No token or key gets into a log, a message or an exception.
 */
public interface Authenticator {
  /**
   * Looks at a request.
   *
   * @param response for a login that answers by itself
   */
  Login authenticate(HttpServletRequest request, HttpServletResponse response) throws IOException;

  /** Ends what it has running. */
  default void close() {}
}
