package io.runstone.security;

import java.util.Optional;
import java.util.Set;

/**
 * Who sent a request, and from where. Immutable.
 *
 * @param user whose everything is that the request makes
 * @param scopes what the request may do
 * @param client the program that acts for the user, as the login names it; empty if it does not
 * @param address where the request came from; empty if nobody knows
 * @param upstreams upstream servers that the request may use, whatever the scopes say
 * @param token what the request was sent with, if it can be exchanged for others
 */
public record Requester(
    UserId user,
    Set<Scope> scopes,
    String client,
    String address,
    Set<String> upstreams,
    Optional<SubjectToken> token) {
  /** The request's attribute in which the login leaves who sent it. */
  public static final String ATTRIBUTE = "io.runstone.requester";

  public Requester {
    scopes = Set.copyOf(scopes);
    upstreams = Set.copyOf(upstreams);
  }

  /** One whose scopes say it all. */
  public Requester(UserId user, Set<Scope> scopes, String client, String address) {
    this(user, scopes, client, address, Set.of(), Optional.empty());
  }

  /** A user who may do everything but administer, of whom nothing else is known. */
  public static Requester of(UserId user) {
    return new Requester(user, Scope.USUAL, "", "");
  }

  /** The same, from an address. */
  public Requester at(String remoteAddress) {
    return new Requester(user, scopes, client, remoteAddress, upstreams, token);
  }

  /** Whether the request may do something. */
  public boolean may(Scope scope) {
    return scopes.contains(scope);
  }

  /** Whether the request may use an upstream server. */
  public boolean mayUse(String upstream) {
    return may(Scope.UPSTREAM) || upstreams.contains(upstream);
  }
}
