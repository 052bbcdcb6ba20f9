package io.runstone.security.jwt;

import com.nimbusds.jose.jwk.JWKSet;

/** Where the keys of an issuer come from. Thread-safe. */
@FunctionalInterface
interface KeySource {
  /**
   * Fetches the keys; may take seconds, but not for ever.
   *
   * @throws BoundedFetch.FetchException if there are none to be had
   */
  JWKSet fetch() throws BoundedFetch.FetchException;
}
