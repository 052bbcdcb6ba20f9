package io.runstone.upstream.credential;

import io.runstone.concurrent.Threads;
import io.runstone.config.AuthSettings;
import io.runstone.config.Settings;
import io.runstone.security.UserId;
import io.runstone.upstream.Authorizer;
import io.runstone.upstream.Credentials;
import io.runstone.upstream.ServerName;
import io.runstone.upstream.UpstreamCaller;
import io.runstone.upstream.UpstreamServer;
import io.runstone.upstream.oauth.ClientDocument;
import io.runstone.upstream.oauth.Consents;
import io.runstone.upstream.oauth.Discovery;
import io.runstone.upstream.oauth.GrantKey;
import io.runstone.upstream.oauth.Grants;
import io.runstone.upstream.oauth.OAuthClients;
import io.runstone.upstream.oauth.OAuthHttp;
import io.runstone.upstream.oauth.Refresher;
import io.runstone.upstream.vault.KeyRing;
import io.runstone.upstream.vault.SealedStore;
import io.runstone.upstream.vault.SecretFile;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * Every kind of login with upstream servers, from {@link #open} at the start to {@link #close} at
 * the end of the application. Thread-safe; nothing in it waits for the network.
 */
public final class UpstreamLogins implements Credentials, AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int MAX_WAITING = 10_000;
  private static final int THREADS = 4;

  private final Clock clock;
  private final Map<Path, SecretFile> files = new ConcurrentHashMap<>();
  private final List<BiConsumer<UserId, ServerName>> listeners = new CopyOnWriteArrayList<>();
  private final ThreadPoolExecutor network;
  private final ThreadPoolExecutor disk;
  private final OAuthHttp http;
  private final Grants grants;
  private final StaticSecrets secrets;
  private final ExchangedTokens exchanged;
  private final ConsentedTokens consented;
  private final Connections connections;
  private final Discovery discovery;
  private final Optional<ClientDocument> document;

  private UpstreamLogins(
      Settings settings, Threads threads, Clock clock, Supplier<List<UpstreamServer>> servers) {
    this.clock = clock;
    this.network = threads.queued("upstream-logins", THREADS, MAX_WAITING);
    this.disk = threads.serial("upstream-tokens", MAX_WAITING);
    this.http = new OAuthHttp(threads, network, PATIENCE);
    SealedStore store =
        new SealedStore(
            settings.sandbox().dataDirectory().resolve("credentials"),
            new KeyRing(settings.upstream().keysFile().map(this::file)),
            disk);
    this.grants = new Grants(store, this::tell);
    ConsentLinks links = new ConsentLinks(base(settings));
    this.document = settings.upstream().clientMetadata() ? links.document() : Optional.empty();
    OAuthClients clients = new OAuthClients(http, store, this::file, clock, document);
    Refresher refresher = new Refresher(http, grants, clients, clock);
    this.discovery = new Discovery(http);
    this.secrets = new StaticSecrets(this::file);
    this.exchanged = new ExchangedTokens(http, this::file, clock);
    this.consented = new ConsentedTokens(grants, refresher, links, clock);
    this.connections =
        new Connections(
            servers,
            consented,
            new Consents(http, discovery, clients, grants, clock),
            refresher,
            links);
  }

  /**
   * Opens the logins.
   *
   * @param servers the servers that are declared at the moment
   */
  public static UpstreamLogins open(
      Settings settings, Threads threads, Clock clock, Supplier<List<UpstreamServer>> servers) {
    return new UpstreamLogins(settings, threads, clock, servers);
  }

  /** Where clients reach this server, as it is configured; without a slash at the end. */
  public static Optional<String> base(Settings settings) {
    return settings
        .http()
        .baseUrl()
        .or(
            () ->
                settings.auth() instanceof AuthSettings.Jwt jwt
                    ? Optional.of(jwt.resource().toString())
                    : Optional.empty())
        .map(url -> url.replaceAll("/+$", ""));
  }

  private SecretFile file(Path path) {
    return files.computeIfAbsent(path, one -> new SecretFile(one, clock));
  }

  private void tell(GrantKey key) {
    listeners.forEach(listener -> listener.accept(key.user(), key.server()));
  }

  /** Has somebody hear whenever {@link #version} changed by consent or its end; returns at once. */
  public void onChange(BiConsumer<UserId, ServerName> listener) {
    listeners.add(listener);
  }

  /** What users connect in a browser. */
  public Connections connections() {
    return connections;
  }

  /** What authorization servers may read about this server, if they can reach it. */
  public Optional<ClientDocument> document() {
    return document;
  }

  /** Finds authorization servers. */
  public Discovery discovery() {
    return discovery;
  }

  /** Asks authorization servers. */
  public OAuthHttp http() {
    return http;
  }

  @Override
  public Authorizer authorizer(UpstreamCaller caller, UpstreamServer server) {
    UpstreamServer.Login login = server.login();
    if (login instanceof UpstreamServer.Login.Static secret) {
      return secrets.authorizer(server, secret);
    } else if (login instanceof UpstreamServer.Login.Exchange exchange) {
      return exchanged.authorizer(caller.requester(), server, exchange);
    } else if (login instanceof UpstreamServer.Login.OAuth oauth) {
      return consented.authorizer(caller.requester().user(), server, oauth);
    }
    return Authorizer.NONE;
  }

  @Override
  public long version(UserId user, UpstreamServer server) {
    if (server.login() instanceof UpstreamServer.Login.Static secret) {
      return secrets.version(secret);
    }
    return server.login() instanceof UpstreamServer.Login.OAuth
        ? grants.version(new GrantKey(user, server.name()))
        : 0;
  }

  @Override
  public Optional<URI> missingConsent(UserId user, UpstreamServer server) {
    return server.login() instanceof UpstreamServer.Login.OAuth oauth
        ? consented.missing(new GrantKey(user, server.name()), server, oauth)
        : Optional.empty();
  }

  @Override
  public void close() {
    http.close();
    network.shutdownNow();
    disk.shutdown(); // what is to be written still is
  }
}
