package io.runstone.upstream.oauth;

import io.runstone.upstream.UpstreamServer;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Finds out where users consent to the use of a server: RFC 9728 from the server to its
 * authorization server, RFC 8414 and OpenID Connect Discovery from there on. Immutable; nothing in
 * it waits, and failures are {@link OAuthException}s.
 */
public record Discovery(OAuthHttp http) {
  private static final String RESOURCE = "/.well-known/oauth-protected-resource";
  private static final String OAUTH = "/.well-known/oauth-authorization-server";
  private static final String OPENID = "/.well-known/openid-configuration";

  /**
   * What was found.
   *
   * @param resource what the authorization server knows the server as (RFC 8707)
   * @param scopes to ask for if nobody says which
   */
  record Found(Issuer issuer, String resource, Set<String> scopes) {
    Found {
      scopes =
          Collections.unmodifiableSet(new LinkedHashSet<>(scopes)); // in the order that was said
    }
  }

  /** What a server says of itself. */
  private record Metadata(String resource, String issuer, Set<String> scopes) {}

  /** Where users consent to the use of a server. */
  CompletionStage<Found> find(UpstreamServer server, UpstreamServer.Login.OAuth login) {
    if (login.issuer().isPresent()) {
      return issuer(login.issuer().orElseThrow().toString(), true, server.trust())
          .thenApply(issuer -> new Found(issuer, server.url().toString(), Set.of()));
    }
    return metadata(server)
        .thenCompose(
            found ->
                issuer(found.issuer(), false, server, server.trust())
                    .thenApply(
                        issuer -> new Found(issuer, found.resource(), scopes(found, issuer))));
  }

  /** With the one that refresh tokens need, if it is known there. */
  private static Set<String> scopes(Metadata found, Issuer issuer) {
    Set<String> scopes = new LinkedHashSet<>(found.scopes());
    if (!scopes.isEmpty() && issuer.scopes().contains("offline_access")) {
      scopes.add("offline_access");
    }
    return scopes;
  }

  /**
   * The metadata of an issuer that an administrator named.
   *
   * @param trust certificates to trust; the JDK's if empty
   */
  public CompletionStage<Issuer> issuer(String name, boolean declared, Optional<Path> trust) {
    return issuer(name, declared, Addresses.namedBy(URI.create(name)), trust);
  }

  private CompletionStage<Issuer> issuer(
      String name, boolean declared, UpstreamServer by, Optional<Path> trust) {
    return issuer(name, declared, Addresses.namedBy(by.url()), trust);
  }

  private CompletionStage<Issuer> issuer(
      String name, boolean declared, Addresses allowed, Optional<Path> trust) {
    URI uri;
    try {
      uri = allowed.check(name, "issuer");
    } catch (OAuthException e) {
      return CompletableFuture.failedStage(e);
    }
    String origin = origin(uri);
    String path = path(uri);
    Set<String> places = new LinkedHashSet<>();
    places.add(origin + OAUTH + path);
    places.add(origin + OPENID + path);
    places.add(origin + path + OPENID);
    return first(new ArrayList<>(places), trust)
        .thenApply(
            fields ->
                Issuer.of(
                    name,
                    fields.orElseThrow(() -> OAuthException.unusable("it has no metadata")),
                    declared,
                    allowed));
  }

  private CompletionStage<Metadata> metadata(UpstreamServer server) {
    Addresses allowed = Addresses.namedBy(server.url());
    String origin = origin(server.url());
    return http.knock(server.url(), server.trust())
        .thenCompose(
            answer -> {
              BearerChallenge challenge = BearerChallenge.of(answer.challenge());
              Set<String> places = new LinkedHashSet<>();
              challenge
                  .metadata()
                  .ifPresent(
                      named -> places.add(allowed.check(named, "resource_metadata").toString()));
              places.add(origin + RESOURCE + path(server.url()));
              places.add(origin + RESOURCE);
              return first(new ArrayList<>(places), server.trust())
                  .thenApply(
                      fields ->
                          fields
                              .map(found -> metadata(found, server, challenge))
                              // Before 2025-06-18 MCP had it that the server's origin is the
                              // issuer.
                              .orElseGet(
                                  () ->
                                      new Metadata(
                                          server.url().toString(), origin, challenge.scopes())));
            });
  }

  private static Metadata metadata(Fields found, UpstreamServer server, BearerChallenge challenge) {
    String resource = found.text("resource").orElse("");
    if (!covers(resource, server.url())) {
      throw OAuthException.unusable("its metadata is that of another resource");
    }
    List<String> issuers = found.texts("authorization_servers");
    if (issuers.isEmpty()) {
      throw OAuthException.unusable("its metadata names no authorization server");
    }
    Set<String> scopes =
        challenge.scopes().isEmpty()
            ? BearerChallenge.usable(new LinkedHashSet<>(found.texts("scopes_supported")))
            : challenge.scopes();
    return new Metadata(resource, issuers.get(0), scopes);
  }

  /** The resource is the server, or something above it: a token for another one is never taken. */
  private static boolean covers(String resource, URI server) {
    URI uri;
    try {
      uri = Addresses.namedBy(server).check(resource, "resource");
    } catch (OAuthException e) {
      return false;
    }
    String above = path(uri);
    String below = path(server);
    return origin(uri).equals(origin(server))
        && (below.equals(above) || below.startsWith(above + "/"));
  }

  private static String origin(URI uri) {
    return (uri.getScheme() + "://" + uri.getRawAuthority()).toLowerCase(java.util.Locale.ROOT);
  }

  private static String path(URI uri) {
    return uri.getRawPath() == null ? "" : uri.getRawPath().replaceAll("/+$", "");
  }

  /** The first object that is there; a place that answers 4xx has none. */
  private CompletionStage<Optional<Fields>> first(List<String> places, Optional<Path> trust) {
    if (places.isEmpty()) {
      return CompletableFuture.completedStage(Optional.empty());
    }
    return http.get(URI.create(places.get(0)), trust)
        .thenCompose(
            answer -> {
              if (answer.status() == 200) {
                return CompletableFuture.completedStage(Optional.of(answer.fields()));
              } else if (answer.status() >= 400 && answer.status() < 500) {
                return first(places.subList(1, places.size()), trust);
              }
              throw OAuthException.unusable("it answers with status " + answer.status());
            });
  }
}
