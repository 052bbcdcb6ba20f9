package io.runstone.upstream.oauth;

import io.runstone.upstream.UpstreamServer;
import io.runstone.upstream.vault.SealedStore;
import io.runstone.upstream.vault.SecretFile;
import io.runstone.upstream.vault.UnusableSecretException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * What this server is to authorization servers: the client that was declared, or one that they read
 * about in a document, or one that it registered (RFC 7591) and keeps encrypted. Thread-safe;
 * nothing in it waits.
 */
public final class OAuthClients {
  static final String NAME = "Runstone";
  static final List<String> GRANT_TYPES = List.of("authorization_code", "refresh_token");

  private final OAuthHttp http;
  private final SealedStore store;
  private final Function<Path, SecretFile> files;
  private final Clock clock;
  private final Optional<ClientDocument> document;
  private final SingleFlight<List<String>, ClientIdentity> registering = new SingleFlight<>();

  /**
   * Creates it.
   *
   * @param document what authorization servers can read about this server; empty if they can't
   *     reach it
   */
  public OAuthClients(
      OAuthHttp http,
      SealedStore store,
      Function<Path, SecretFile> files,
      Clock clock,
      Optional<ClientDocument> document) {
    this.http = http;
    this.store = store;
    this.files = files;
    this.clock = clock;
    this.document = document;
  }

  /**
   * Whether the client is registered by this server, at that authorization server alone. Of one
   * that is known elsewhere too, the same redirect URI is taken everywhere.
   */
  boolean registers(Issuer issuer, UpstreamServer.Login.OAuth login) {
    return login.clientId().isEmpty() && document(issuer).isEmpty();
  }

  /**
   * Only where answers are named: the client is the same everywhere, and so tells nothing apart.
   */
  private Optional<ClientDocument> document(Issuer issuer) {
    return document.filter(any -> issuer.takesDocuments() && issuer.namesItself());
  }

  /** Whether a grant's client is one that its authorization server can have forgotten. */
  boolean isRegistered(Grant grant) {
    return grant.registered()
        && document.filter(known -> known.id().equals(grant.client().id())).isEmpty();
  }

  /** The client to ask for consent with. */
  CompletionStage<ClientIdentity> client(
      Issuer issuer, UpstreamServer server, UpstreamServer.Login.OAuth login, URI redirect) {
    if (login.clientId().isPresent()) {
      try {
        String id = login.clientId().orElseThrow();
        return CompletableFuture.completedStage(
            ClientIdentity.of(id, secret(login), issuer.methods()));
      } catch (OAuthException e) {
        return CompletableFuture.failedStage(e);
      }
    }
    Optional<ClientDocument> known = document(issuer);
    if (known.isPresent()) {
      return CompletableFuture.completedStage(
          new ClientIdentity(known.orElseThrow().id(), Optional.empty(), false));
    }
    List<String> words = words(issuer.name(), redirect);
    return registering.run(
        words,
        () ->
            store
                .read(words)
                .thenCompose(
                    kept ->
                        kept.flatMap(this::current)
                            .map(CompletableFuture::completedStage)
                            .orElseGet(() -> register(issuer, server, redirect, words))));
  }

  /** The client that a grant is of, with the secret that it has now. */
  ClientIdentity of(Grant grant, UpstreamServer.Login.OAuth login) {
    return grant.registered()
        ? grant.client()
        : new ClientIdentity(grant.client().id(), secret(login), grant.client().inBody());
  }

  /** An authorization server does not know the client any more. */
  CompletionStage<Void> forget(String issuer, URI redirect) {
    return store.delete(words(issuer, redirect));
  }

  private Optional<String> secret(UpstreamServer.Login.OAuth login) {
    try {
      return login.clientSecretFile().isPresent()
          ? Optional.of(files.apply(login.clientSecretFile().orElseThrow()).firstLine())
          : Optional.empty();
    } catch (UnusableSecretException e) {
      throw OAuthException.unusable("the client-secret-file can't be used: " + e.getMessage());
    }
  }

  private static List<String> words(String issuer, URI redirect) {
    return List.of("registration", issuer, redirect.toString());
  }

  private Optional<ClientIdentity> current(String json) {
    Fields fields = Fields.parse(json);
    boolean over =
        fields
            .number("expires")
            .filter(end -> end > 0)
            .map(end -> !clock.instant().isBefore(Instant.ofEpochSecond(end)))
            .orElse(false);
    return over
        ? Optional.empty()
        : fields
            .text("id")
            .map(
                id ->
                    new ClientIdentity(
                        id, fields.text("secret"), Boolean.TRUE.equals(fields.value("inBody"))));
  }

  private CompletionStage<ClientIdentity> register(
      Issuer issuer, UpstreamServer server, URI redirect, List<String> words) {
    if (issuer.registration().isEmpty()) {
      return CompletableFuture.failedStage(
          OAuthException.unusable(
              "it registers no clients, so the administrator has to declare a client-id"));
    }
    Map<String, Object> request = new LinkedHashMap<>();
    request.put("client_name", NAME);
    request.put("redirect_uris", List.of(redirect.toString()));
    request.put("grant_types", GRANT_TYPES);
    request.put("response_types", List.of("code"));
    request.put("token_endpoint_auth_method", method(issuer.methods()));
    request.put("application_type", redirect.getScheme().equals("https") ? "web" : "native");
    return http.post(
            HttpRequest.newBuilder(issuer.registration().orElseThrow()),
            "application/json",
            Fields.write(request),
            server.trust())
        .thenCompose(
            answer -> {
              if (!answer.isGood()) {
                throw OAuthException.unusable(
                    "it does not register this server (status " + answer.status() + ")");
              }
              Fields fields = answer.fields();
              ClientIdentity client = registered(fields);
              Map<String, Object> kept = new LinkedHashMap<>();
              kept.put("id", client.id());
              client.secret().ifPresent(secret -> kept.put("secret", secret));
              kept.put("inBody", client.inBody());
              fields.number("client_secret_expires_at").ifPresent(end -> kept.put("expires", end));
              return store.write(words, Fields.write(kept)).thenApply(done -> client);
            });
  }

  private static String method(List<String> known) {
    return List.of("client_secret_basic", "client_secret_post", "none").stream()
        .filter(known::contains)
        .findFirst()
        .orElse("client_secret_basic");
  }

  private static ClientIdentity registered(Fields fields) {
    String method = fields.text("token_endpoint_auth_method").orElse("client_secret_basic");
    return new ClientIdentity(
        fields
            .text("client_id")
            .orElseThrow(() -> OAuthException.unusable("its registration has no client_id")),
        fields.text("client_secret").filter(any -> !method.equals("none")),
        method.equals("client_secret_post"));
  }
}
