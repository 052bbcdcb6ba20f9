package io.runstone.upstream.oauth;

import io.runstone.concurrent.Causes;
import io.runstone.upstream.UpstreamServer;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/**
 * Gets new access tokens for what was consented to, once at a time for each user and server, for a
 * refresh token may be good only once; and gives tokens back. Thread-safe; nothing in it waits.
 */
public final class Refresher {
  private static final System.Logger LOG = System.getLogger(Refresher.class.getName());

  private final OAuthHttp http;
  private final Grants grants;
  private final OAuthClients clients;
  private final Clock clock;
  private final SingleFlight<GrantKey, Optional<Grant>> refreshing = new SingleFlight<>();

  /** Creates it. */
  public Refresher(OAuthHttp http, Grants grants, OAuthClients clients, Clock clock) {
    this.http = http;
    this.grants = grants;
    this.clients = clients;
    this.clock = clock;
  }

  /**
   * Another access token than that of a grant. Empty if the consent does not count any more; fails
   * with an {@link OAuthException} if that is not known.
   */
  public CompletionStage<Optional<Grant>> refresh(
      GrantKey key, Grant old, UpstreamServer server, UpstreamServer.Login.OAuth login) {
    return refreshing.run(
        key,
        () ->
            grants
                .find(key)
                .thenCompose(
                    now -> {
                      if (now.isEmpty() || !now.orElseThrow().access().equals(old.access())) {
                        return CompletableFuture.completedStage(now); // somebody did it before
                      }
                      return ask(key, now.orElseThrow(), server, login);
                    }));
  }

  private CompletionStage<Optional<Grant>> ask(
      GrantKey key, Grant grant, UpstreamServer server, UpstreamServer.Login.OAuth login) {
    if (grant.refresh().isEmpty()) {
      return grants.remove(key, grant).thenApply(done -> Optional.empty());
    }
    Map<String, String> form = new LinkedHashMap<>();
    form.put("grant_type", "refresh_token");
    form.put("refresh_token", grant.refresh().orElseThrow());
    form.put("resource", grant.resource());
    return new TokenEndpoint(http, grant.token(), server.trust())
        .ask(clients.of(grant, login), form)
        .handle(
            (answer, trouble) -> {
              if (trouble == null) {
                return keep(key, grant, grant.with(answer, clock.instant()), server, login);
              } else if (Causes.of(trouble) instanceof OAuthException refusal
                  && (refusal.isInvalidGrant()
                      || (clients.isRegistered(grant)
                          && refusal.code().equals("invalid_client")))) {
                return grants.remove(key, grant).thenApply(done -> Optional.<Grant>empty());
              }
              throw new CompletionException(Causes.of(trouble));
            })
        .thenCompose(next -> next);
  }

  private CompletionStage<Optional<Grant>> keep(
      GrantKey key, Grant old, Grant now, UpstreamServer server, UpstreamServer.Login.OAuth login) {
    return grants
        .replace(key, old, now)
        .thenCompose(
            same -> {
              if (same) {
                return CompletableFuture.completedStage(Optional.of(now));
              }
              revoke(now, server, login); // disconnected meanwhile
              return grants.find(key);
            });
  }

  /** Forgets what was consented to, and gives its tokens back; the latter only if that works. */
  public CompletionStage<Void> disconnect(
      GrantKey key, UpstreamServer server, UpstreamServer.Login.OAuth login) {
    return grants
        .remove(key)
        .thenCompose(
            grant ->
                grant
                    .map(one -> revoke(one, server, login))
                    .orElseGet(() -> CompletableFuture.completedStage(null)));
  }

  private CompletionStage<Void> revoke(
      Grant grant, UpstreamServer server, UpstreamServer.Login.OAuth login) {
    if (grant.revocation().isEmpty()) {
      return CompletableFuture.completedStage(null);
    }
    TokenEndpoint endpoint =
        new TokenEndpoint(http, grant.revocation().orElseThrow(), server.trust());
    CompletionStage<Void> first;
    try {
      ClientIdentity client = clients.of(grant, login);
      first =
          grant
              .refresh()
              .map(token -> endpoint.revoke(client, token, "refresh_token"))
              .orElseGet(() -> CompletableFuture.completedStage(null))
              .thenCompose(done -> endpoint.revoke(client, grant.access(), "access_token"));
    } catch (OAuthException e) {
      first = CompletableFuture.failedStage(e);
    }
    return first.exceptionally(
        trouble -> {
          LOG.log(
              System.Logger.Level.WARNING,
              "{0}: tokens of a user were forgotten, but their authorization server did not take"
                  + " them back: {1}",
              server.name(),
              Causes.of(trouble) instanceof OAuthException known ? known.getMessage() : "");
          return null;
        });
  }
}
