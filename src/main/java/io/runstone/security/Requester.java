package io.runstone.security;

import java.util.Set;

/**
 * Who sent a request, and from where. Immutable.
 *
 * @param user whose everything is that the request makes
 * @param scopes what the request may do
 * @param client the program that acts for the user, as the login names it; empty if it does not
 * @param address where the request came from; empty if nobody knows
 */
public record Requester(UserId user, Set<Scope> scopes, String client, String address) {
  /** The request's attribute in which the login leaves who sent it. */
  public static final String ATTRIBUTE = "io.runstone.requester";

  public Requester {
    scopes = Set.copyOf(scopes);
  }

  /** A user who may do everything but administer, of whom nothing else is known. */
  public static Requester of(UserId user) {
    return new Requester(user, Scope.USUAL, "", "");
  }

  /** The same, from an address. */
  public Requester at(String remoteAddress) {
    return new Requester(user, scopes, client, remoteAddress);
  }

  /** Whether the request may do something. */
  public boolean may(Scope scope) {
    return scopes.contains(scope);
  }
}
