package io.runstone.upstream.oauth;

import io.runstone.upstream.UpstreamServer;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a user consented to, and the tokens that came of it. It is good only for the server and the
 * authorization server that it was given for: if either is declared otherwise, tokens go nowhere.
 * Immutable.
 *
 * @param server the address of the upstream server
 * @param issuer who gave the tokens
 * @param token where new ones are given
 * @param revocation where they are given back
 * @param client who they were given to; its secret only if it was registered, not declared
 * @param resource what they are for
 * @param scopes what they allow
 */
public record Grant(
    URI server,
    String issuer,
    URI token,
    Optional<URI> revocation,
    ClientIdentity client,
    boolean registered,
    String resource,
    Set<String> scopes,
    String access,
    Optional<String> refresh,
    Optional<Instant> expires) {
  private static final Duration EARLY = Duration.ofSeconds(30);

  public Grant {
    scopes = Set.copyOf(scopes);
    // As it comes back from disk, where a declared secret is not, and times have seconds.
    client =
        registered ? client : new ClientIdentity(client.id(), Optional.empty(), client.inBody());
    expires = expires.map(end -> end.truncatedTo(ChronoUnit.SECONDS));
  }

  /** Whether it was given for what is declared now. */
  public boolean isFor(UpstreamServer declared, UpstreamServer.Login.OAuth login) {
    return server.equals(declared.url())
        && login.issuer().map(URI::toString).map(issuer::equals).orElse(true)
        && login.clientId().map(client.id()::equals).orElse(registered);
  }

  /** Whether the access token is to be replaced before it is used. */
  public boolean isStale(Instant now) {
    return expires.map(end -> !now.isBefore(end.minus(EARLY))).orElse(false);
  }

  /** Whether the access token is of no use. */
  public boolean isExpired(Instant now) {
    return expires.map(end -> !now.isBefore(end)).orElse(false);
  }

  /** Whether requests can be sent with it, if need be after a refresh. */
  public boolean isUsable(Instant now) {
    return refresh.isPresent() || !isExpired(now);
  }

  /** The same with new tokens; the refresh token stays if there is no new one. */
  Grant with(TokenAnswer answer, Instant now) {
    return new Grant(
        server,
        issuer,
        token,
        revocation,
        client,
        registered,
        resource,
        answer.scopes().orElse(scopes),
        answer.access(),
        answer.refresh().or(() -> refresh),
        answer.lifetime().map(now::plus));
  }

  String toJson() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("server", server.toString());
    json.put("issuer", issuer);
    json.put("token", token.toString());
    revocation.ifPresent(uri -> json.put("revocation", uri.toString()));
    json.put("clientId", client.id());
    client.secret().filter(any -> registered).ifPresent(text -> json.put("clientSecret", text));
    json.put("clientInBody", client.inBody());
    json.put("registered", registered);
    json.put("resource", resource);
    json.put("scopes", scopes);
    json.put("access", access);
    refresh.ifPresent(text -> json.put("refresh", text));
    expires.ifPresent(end -> json.put("expires", end.getEpochSecond()));
    return Fields.write(json);
  }

  /**
   * Reads what {@link #toJson} wrote.
   *
   * @throws OAuthException if it is something else
   */
  static Grant of(String text) {
    Fields json = Fields.parse(text);
    return new Grant(
        URI.create(text(json, "server")),
        text(json, "issuer"),
        URI.create(text(json, "token")),
        json.text("revocation").map(URI::create),
        new ClientIdentity(
            text(json, "clientId"),
            json.text("clientSecret"),
            Boolean.TRUE.equals(json.value("clientInBody"))),
        Boolean.TRUE.equals(json.value("registered")),
        text(json, "resource"),
        new LinkedHashSet<>(json.texts("scopes")),
        text(json, "access"),
        json.text("refresh"),
        json.number("expires").map(Instant::ofEpochSecond));
  }

  private static String text(Fields json, String name) {
    return json.text(name).orElseThrow(() -> OAuthException.unusable("it has no " + name));
  }

  /** Leaves the tokens out. */
  @Override
  public String toString() {
    return "Grant[" + server + ", " + issuer + "]";
  }
}
