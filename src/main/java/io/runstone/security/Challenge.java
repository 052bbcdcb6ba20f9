package io.runstone.security;

import java.util.Collection;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * The {@code WWW-Authenticate} header of refused requests, RFC 6750 section 3 and RFC 9728 section
 * 5.1: it tells clients where to get a token, and for which scopes. Immutable.
 */
public final class Challenge {
  /** Where RFC 9728 has a server's metadata. */
  public static final String METADATA = "/.well-known/oauth-protected-resource";

  /** The MCP endpoint, a resource of its own. */
  public static final String MCP = "/mcp";

  private final Optional<String> resource;
  private final Set<Scope> offered;

  /**
   * Creates the challenges of a server.
   *
   * @param resource what clients know this server as, if tokens of OAuth get in
   * @param offered the scopes that a client may ask for when it knows nothing better
   */
  public Challenge(Optional<String> resource, Set<Scope> offered) {
    this.resource = resource;
    this.offered = Set.copyOf(offered);
  }

  /** For a request to a path, without any login. */
  public String missing(String path) {
    return resource.isEmpty() ? "Bearer realm=\"runstone\"" : "Bearer " + where(path, offered);
  }

  /**
   * For a request whose login is wrong.
   *
   * @param reason without quotes
   */
  public String invalid(String path, String reason) {
    return "Bearer error=\"invalid_token\", error_description=\"%s\", %s"
        .formatted(reason, where(path, offered));
  }

  /**
   * Checks what a request asks for.
   *
   * @param path of the request
   * @throws InsufficientScopeException if it may not do all of that
   */
  public void check(Requester requester, Set<Scope> needed, String path) {
    if (!requester.scopes().containsAll(needed)) {
      throw new InsufficientScopeException(needed, insufficient(requester, needed, path));
    }
  }

  /** Names what was granted too: a client that asks for new scopes must not lose its others. */
  private String insufficient(Requester requester, Set<Scope> needed, String path) {
    Set<Scope> all = EnumSet.copyOf(needed);
    all.addAll(requester.scopes());
    return "Bearer error=\"insufficient_scope\", " + where(path, all);
  }

  private String where(String path, Collection<Scope> scopes) {
    String scope = "scope=\"%s\"".formatted(Scope.labels(scopes));
    return resource
        .map(base -> "resource_metadata=\"%s\", %s".formatted(metadata(base, path), scope))
        .orElse(scope);
  }

  private static String metadata(String base, String path) {
    return base + METADATA + (path.equals(MCP) ? MCP : "");
  }
}
