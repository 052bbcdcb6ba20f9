package io.runstone.security;

import java.util.Set;

/** A request that may not do what it asks for; to be answered with 403. */
public final class InsufficientScopeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String challenge;

  InsufficientScopeException(Set<Scope> needed, String challenge) {
    super("this needs " + Scope.labels(needed) + ", which your login does not grant");
    this.challenge = challenge;
  }

  /** The {@code WWW-Authenticate} header of the answer, which names all scopes to ask for. */
  public String challenge() {
    return challenge;
  }
}
