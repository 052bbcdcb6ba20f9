package io.runstone.upstream.credential;

import static io.runstone.upstream.UpstreamException.Kind.CONSENT_REQUIRED;
import static io.runstone.upstream.UpstreamException.Kind.FORBIDDEN;
import static io.runstone.upstream.UpstreamException.Kind.SCOPE_REQUIRED;
import static io.runstone.upstream.UpstreamException.Kind.UNAVAILABLE;

import io.runstone.concurrent.Causes;
import io.runstone.security.UserId;
import io.runstone.upstream.Authorizer;
import io.runstone.upstream.UpstreamException;
import io.runstone.upstream.UpstreamServer;
import io.runstone.upstream.oauth.BearerChallenge;
import io.runstone.upstream.oauth.Grant;
import io.runstone.upstream.oauth.GrantKey;
import io.runstone.upstream.oauth.Grants;
import io.runstone.upstream.oauth.OAuthException;
import io.runstone.upstream.oauth.Refresher;
import io.runstone.upstream.vault.Recent;
import java.net.URI;
import java.time.Clock;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** The login with tokens that users consented to in a browser. Thread-safe. */
final class ConsentedTokens {
  private static final int MAX_WANTED = 10_000;

  private final Grants grants;
  private final Refresher refresher;
  private final ConsentLinks links;
  private final Clock clock;

  /** Scopes that servers said a user lacks. */
  private final Recent<GrantKey, Set<String>> wanted = new Recent<>(MAX_WANTED);

  ConsentedTokens(Grants grants, Refresher refresher, ConsentLinks links, Clock clock) {
    this.grants = grants;
    this.refresher = refresher;
    this.links = links;
    this.clock = clock;
  }

  /** Scopes to ask for besides those of the declaration: what is granted, and what is lacking. */
  CompletionStage<Set<String>> scopesToAsk(
      GrantKey key, UpstreamServer server, UpstreamServer.Login.OAuth login) {
    return grants
        .find(key)
        .thenApply(
            grant -> {
              Set<String> all = new LinkedHashSet<>();
              grant.filter(one -> one.isFor(server, login)).ifPresent(g -> all.addAll(g.scopes()));
              all.addAll(lacking(key));
              return all;
            });
  }

  /** Scopes that the server said the user lacks. */
  Set<String> lacking(GrantKey key) {
    return wanted.get(key).orElse(Set.of());
  }

  /** The user was asked for them, or gives no consent any more. */
  void settled(GrantKey key) {
    wanted.take(key);
  }

  /** Where the user has to consent, as far as that is known without asking anybody. */
  Optional<URI> missing(GrantKey key, UpstreamServer server, UpstreamServer.Login.OAuth login) {
    boolean usable =
        grants
            .inMemory(key)
            .map(grant -> grant.isFor(server, login) && grant.isUsable(clock.instant()))
            .orElseGet(() -> grants.has(key));
    return usable ? Optional.empty() : links.page(server.name());
  }

  Authorizer authorizer(UserId user, UpstreamServer server, UpstreamServer.Login.OAuth login) {
    return new Consented(new GrantKey(user, server.name()), server, login);
  }

  /** Of one user and one server. */
  private final class Consented implements Authorizer {
    private final GrantKey key;
    private final UpstreamServer server;
    private final UpstreamServer.Login.OAuth login;
    private final OneRetry retry = new OneRetry();

    Consented(GrantKey key, UpstreamServer server, UpstreamServer.Login.OAuth login) {
      this.key = key;
      this.server = server;
      this.login = login;
    }

    @Override
    public CompletionStage<Optional<String>> header() {
      return grants
          .find(key)
          .thenCompose(
              grant ->
                  grant
                      .filter(one -> one.isFor(server, login))
                      .map(this::fresh)
                      .orElseGet(() -> CompletableFuture.completedStage(Optional.empty())))
          .handle(
              (grant, trouble) -> {
                if (trouble != null) {
                  throw inWords(Causes.of(trouble));
                }
                Grant good = grant.orElseThrow(this::consentRequired);
                retry.sent(good.access());
                return Optional.of("Bearer " + good.access());
              });
    }

    private CompletionStage<Optional<Grant>> fresh(Grant grant) {
      if (!grant.isStale(clock.instant())) {
        return CompletableFuture.completedStage(Optional.of(grant));
      } else if (grant.refresh().isEmpty()) {
        boolean over = grant.isExpired(clock.instant());
        return CompletableFuture.completedStage(over ? Optional.empty() : Optional.of(grant));
      }
      return refresher
          .refresh(key, grant, server, login)
          .exceptionally(
              trouble -> {
                if (grant.isExpired(clock.instant())) {
                  throw new CompletionException(Causes.of(trouble));
                }
                return Optional.of(grant); // good for some seconds still
              });
    }

    @Override
    public CompletionStage<Boolean> refused(int status, String challenge) {
      BearerChallenge told = BearerChallenge.of(challenge);
      if (status == 403 && told.error().equals("insufficient_scope") && !told.scopes().isEmpty()) {
        Set<String> all = new LinkedHashSet<>(told.scopes());
        wanted.put(key, all);
        return CompletableFuture.failedStage(
            links.needed(
                SCOPE_REQUIRED,
                "%s wants you to consent to more (%s). The user has to do that in a browser at"
                    .formatted(server.name(), String.join(" ", told.scopes())),
                server.name()));
      } else if (status != 401) {
        return CompletableFuture.failedStage(
            new UpstreamException(
                FORBIDDEN,
                "%s does not allow you that (HTTP %d); ask its administrator"
                    .formatted(server.name(), status)));
      }
      return grants.find(key).thenCompose(this::again);
    }

    /** With another access token, if there is one to be had. */
    private CompletionStage<Boolean> again(Optional<Grant> current) {
      if (current.isEmpty() || !retry.isWorthIt(current.map(Grant::access))) {
        return CompletableFuture.failedStage(consentRequired());
      }
      Grant grant = current.orElseThrow();
      if (!retry.wasSent(grant.access())) {
        return CompletableFuture.completedStage(true);
      }
      return refresher
          .refresh(key, grant, server, login)
          .handle(
              (next, trouble) -> {
                if (trouble != null) {
                  throw inWords(Causes.of(trouble));
                } else if (next.isEmpty()) {
                  throw consentRequired();
                }
                return true;
              });
    }

    private UpstreamException consentRequired() {
      return links.needed(
          CONSENT_REQUIRED,
          server.name() + " is not connected. The user has to connect it in a browser at",
          server.name());
    }

    private RuntimeException inWords(Throwable trouble) {
      if (trouble instanceof UpstreamException known) {
        return known;
      } else if (trouble instanceof OAuthException oauth) {
        return new UpstreamException(
            oauth.code().isEmpty() ? UNAVAILABLE : FORBIDDEN,
            "the authorization server of %s gives no new token: %s"
                .formatted(server.name(), oauth.getMessage()));
      }
      return new UpstreamException(
          UNAVAILABLE, "the tokens for " + server.name() + " can't be had at the moment");
    }
  }
}
