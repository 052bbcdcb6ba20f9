package io.runstone.upstream.credential;

import io.runstone.security.Requester;
import io.runstone.upstream.ServerName;
import io.runstone.upstream.UpstreamServer;
import io.runstone.upstream.oauth.ConsentException;
import io.runstone.upstream.oauth.Consents;
import io.runstone.upstream.oauth.GrantKey;
import io.runstone.upstream.oauth.Refresher;
import java.net.URI;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * What users connect and disconnect in a browser: the declared servers with the login {@code
 * oauth}. Every method checks what the requester may use. Thread-safe; nothing in it waits, and
 * failures are {@link ConsentException}s.
 */
public final class Connections {
  private final Supplier<List<UpstreamServer>> servers;
  private final ConsentedTokens tokens;
  private final Consents consents;
  private final Refresher refresher;
  private final ConsentLinks links;

  /**
   * A server as its user sees it.
   *
   * @param lacking scopes that the server said are lacking
   */
  public record Connection(
      ServerName name, String title, String description, boolean connected, Set<String> lacking) {
    public Connection {
      lacking = Set.copyOf(lacking);
    }
  }

  private record Target(UpstreamServer server, UpstreamServer.Login.OAuth login) {}

  Connections(
      Supplier<List<UpstreamServer>> servers,
      ConsentedTokens tokens,
      Consents consents,
      Refresher refresher,
      ConsentLinks links) {
    this.servers = servers;
    this.tokens = tokens;
    this.consents = consents;
    this.refresher = refresher;
    this.links = links;
  }

  /** The servers that a requester may connect, by name. */
  public List<Connection> list(Requester requester) {
    return servers.get().stream()
        .filter(server -> requester.mayUse(server.name().value()))
        .flatMap(server -> target(server).stream())
        .map(target -> connection(requester, target))
        .sorted(Comparator.comparing(Connection::name))
        .toList();
  }

  private Connection connection(Requester requester, Target target) {
    UpstreamServer server = target.server();
    GrantKey key = new GrantKey(requester.user(), server.name());
    return new Connection(
        server.name(),
        server.title().isEmpty() ? server.name().value() : server.title(),
        server.description(),
        tokens.missing(key, server, target.login()).isEmpty(),
        tokens.lacking(key));
  }

  /**
   * Begins to connect a server.
   *
   * @param browser stands for the browser's session
   * @return where the browser has to go
   */
  public CompletionStage<URI> connect(Requester requester, String name, String browser) {
    Optional<Target> target = find(requester, name);
    Optional<URI> redirect = links.callback();
    if (target.isEmpty()) {
      return CompletableFuture.failedStage(unknown());
    } else if (redirect.isEmpty()) {
      return CompletableFuture.failedStage(
          new ConsentException(
              "This server does not know its own address; the administrator has to set"
                  + " runstone.base-url."));
    }
    UpstreamServer server = target.orElseThrow().server();
    UpstreamServer.Login.OAuth login = target.orElseThrow().login();
    return tokens
        .scopesToAsk(new GrantKey(requester.user(), server.name()), server, login)
        .thenCompose(
            scopes ->
                consents.begin(
                    new Consents.Wish(
                        requester.user(), server, login, browser, scopes, redirect.orElseThrow())));
  }

  /**
   * Takes what a browser came back with from an authorization server.
   *
   * @param answer the query
   * @return the server that is connected now
   */
  public CompletionStage<ServerName> finish(
      Requester requester, String browser, Map<String, String> answer) {
    return consents
        .finish(requester.user(), browser, answer)
        .thenApply(
            name -> {
              tokens.settled(new GrantKey(requester.user(), name));
              return name;
            });
  }

  /** Forgets the tokens for a server, and gives them back. */
  public CompletionStage<Void> disconnect(Requester requester, String name) {
    return find(requester, name)
        .map(
            target -> {
              GrantKey key = new GrantKey(requester.user(), target.server().name());
              tokens.settled(key);
              return refresher.disconnect(key, target.server(), target.login());
            })
        .orElseGet(() -> CompletableFuture.failedStage(unknown()));
  }

  private Optional<Target> find(Requester requester, String name) {
    return servers.get().stream()
        .filter(server -> server.name().value().equals(name))
        .filter(server -> requester.mayUse(name))
        .flatMap(server -> target(server).stream())
        .findFirst();
  }

  private static Optional<Target> target(UpstreamServer server) {
    return server.login() instanceof UpstreamServer.Login.OAuth login
        ? Optional.of(new Target(server, login))
        : Optional.empty();
  }

  private static ConsentException unknown() {
    return new ConsentException(
        "There is no such server that you may connect. The scope runstone:upstream may be lacking.");
  }
}
