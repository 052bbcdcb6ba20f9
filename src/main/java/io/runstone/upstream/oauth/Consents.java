package io.runstone.upstream.oauth;

import io.runstone.concurrent.Causes;
import io.runstone.security.Sha256;
import io.runstone.security.UserId;
import io.runstone.upstream.ServerName;
import io.runstone.upstream.UpstreamServer;
import io.runstone.upstream.vault.UnusableSecretException;
import java.net.URI;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Has users consent: sends their browser to the authorization server, and takes what it comes back
 * with. That is good only once, for ten minutes, for the same user in the same browser, and from
 * the authorization server that was asked. Thread-safe; nothing in it waits, and failures are
 * {@link ConsentException}s.
 */
public final class Consents {
  private static final String MARK = "as";
  private static final int MARK_CHARS = 16;

  private final OAuthHttp http;
  private final Discovery discovery;
  private final OAuthClients clients;
  private final Grants grants;
  private final Clock clock;
  private final Pending<Asked> asked;

  /**
   * Whose consent is asked for.
   *
   * @param browser stands for the browser's session
   * @param scopes to ask for besides those of the declaration
   */
  public record Wish(
      UserId user,
      UpstreamServer server,
      UpstreamServer.Login.OAuth login,
      String browser,
      Set<String> scopes,
      URI redirect) {
    public Wish {
      scopes = Set.copyOf(scopes);
    }
  }

  /** What was asked for, and how. */
  private record Asked(
      Wish wish,
      Discovery.Found found,
      ClientIdentity client,
      String verifier,
      Set<String> scopes) {
    @Override
    public String toString() {
      return "Asked[" + wish.server().name() + "]";
    }
  }

  /** Creates it. */
  public Consents(
      OAuthHttp http, Discovery discovery, OAuthClients clients, Grants grants, Clock clock) {
    this.http = http;
    this.discovery = discovery;
    this.clients = clients;
    this.grants = grants;
    this.clock = clock;
    this.asked = new Pending<>(clock);
  }

  /** Where the browser has to go. */
  public CompletionStage<URI> begin(Wish wish) {
    return grants
        .check()
        .thenCompose(done -> discovery.find(wish.server(), wish.login()))
        .thenCompose(
            found ->
                clients
                    .client(found.issuer(), wish.server(), wish.login(), redirect(wish, found))
                    .thenApply(client -> link(wish, found, client)))
        .handle((link, trouble) -> told(link, trouble, wish.server()));
  }

  /**
   * Where the browser is sent back to. An authorization server where this server registers gets an
   * address of its own: what another one sends there is noticed also if neither says {@code iss}.
   */
  private URI redirect(Wish wish, Discovery.Found found) {
    String mark = mark(wish, found);
    return mark.isEmpty() ? wish.redirect() : URI.create(wish.redirect() + "?" + MARK + "=" + mark);
  }

  private String mark(Wish wish, Discovery.Found found) {
    return clients.registers(found.issuer(), wish.login())
        ? Sha256.hex(found.issuer().name()).substring(0, MARK_CHARS)
        : "";
  }

  private URI link(Wish wish, Discovery.Found found, ClientIdentity client) {
    Set<String> scopes =
        new LinkedHashSet<>(
            wish.login().scopes().isEmpty() ? found.scopes() : wish.login().scopes());
    scopes.addAll(wish.scopes());
    String verifier = Pkce.random();
    String state = Pkce.random();
    Map<String, String> query = new LinkedHashMap<>();
    query.put("response_type", "code");
    query.put("client_id", client.id());
    query.put("redirect_uri", redirect(wish, found).toString());
    query.put("state", state);
    query.put("code_challenge", Pkce.challenge(verifier));
    query.put("code_challenge_method", "S256");
    query.put("resource", found.resource());
    if (!scopes.isEmpty()) {
      query.put("scope", String.join(" ", scopes));
    }
    asked.add(state, new Asked(wish, found, client, verifier, scopes));
    return TokenEndpoint.link(found.issuer().authorization(), query);
  }

  /**
   * Takes what a browser came back with.
   *
   * @param browser stands for the browser's session
   * @return the server that the user consented to the use of
   */
  public CompletionStage<ServerName> finish(
      UserId user, String browser, Map<String, String> answer) {
    Asked question;
    String code;
    try {
      question = question(user, browser, answer);
      code = code(question, answer);
    } catch (ConsentException e) {
      return CompletableFuture.failedStage(e);
    }
    Wish wish = question.wish();
    Map<String, String> form = new LinkedHashMap<>();
    form.put("grant_type", "authorization_code");
    form.put("code", code);
    form.put("redirect_uri", redirect(wish, question.found()).toString());
    form.put("code_verifier", question.verifier());
    form.put("resource", question.found().resource());
    return new TokenEndpoint(http, question.found().issuer().token(), wish.server().trust())
        .ask(question.client(), form)
        .handle((tokens, trouble) -> redeemed(question, tokens, trouble))
        .thenCompose(kept -> kept)
        .handle((name, trouble) -> told(name, trouble, wish.server()));
  }

  private Asked question(UserId user, String browser, Map<String, String> answer) {
    Asked question =
        asked
            .take(answer.getOrDefault("state", ""))
            .orElseThrow(
                () ->
                    new ConsentException(
                        "This answer was not asked for, came too late, or was used before. Connect"
                            + " the server once more."));
    if (!question.wish().user().equals(user) || !question.wish().browser().equals(browser)) {
      throw new ConsentException(
          "This answer belongs to another user or another browser, so nothing was connected. If"
              + " somebody sent you a link, connect the server yourself instead.");
    }
    return question;
  }

  /**
   * RFC 9207: an answer from another authorization server than the one that was asked is mixed up.
   */
  private String code(Asked question, Map<String, String> answer) {
    Issuer issuer = question.found().issuer();
    Optional<String> from = Optional.ofNullable(answer.get("iss"));
    boolean named =
        from.isPresent() ? from.orElseThrow().equals(issuer.name()) : !issuer.namesItself();
    String marked = mark(question.wish(), question.found());
    if (!named || !answer.getOrDefault(MARK, "").equals(marked)) {
      throw new ConsentException(
          "The answer is not from the authorization server that was asked, so nothing was"
              + " connected.");
    }
    String error = answer.getOrDefault("error", "");
    if (error.equals("access_denied")) {
      throw new ConsentException("You did not consent, so nothing was connected.");
    } else if (!error.isEmpty()) {
      throw new ConsentException(
          "The authorization server does not connect you; "
              + OAuthException.refused(error).getMessage());
    }
    return Optional.ofNullable(answer.get("code"))
        .filter(code -> !code.isEmpty())
        .orElseThrow(() -> new ConsentException("The answer has no code; nothing was connected."));
  }

  private CompletionStage<ServerName> redeemed(
      Asked question, @Nullable TokenAnswer tokens, @Nullable Throwable trouble) {
    Wish wish = question.wish();
    Issuer issuer = question.found().issuer();
    if (trouble != null || tokens == null) {
      Throwable cause = Causes.of(Objects.requireNonNull(trouble));
      boolean unknown =
          cause instanceof OAuthException refusal && refusal.code().equals("invalid_client");
      return (unknown && clients.registers(issuer, wish.login())
              ? clients.forget(issuer.name(), redirect(wish, question.found()))
              : CompletableFuture.<Void>completedStage(null))
          .thenApply(
              done -> {
                throw new CompletionException(cause);
              });
    }
    Grant grant =
        new Grant(
            wish.server().url(),
            issuer.name(),
            issuer.token(),
            issuer.revocation(),
            question.client(),
            wish.login().clientId().isEmpty(),
            question.found().resource(),
            tokens.scopes().orElse(question.scopes()),
            tokens.access(),
            tokens.refresh(),
            tokens.lifetime().map(clock.instant()::plus));
    return grants
        .put(new GrantKey(wish.user(), wish.server().name()), grant)
        .thenApply(done -> wish.server().name());
  }

  private static <T> T told(T value, @Nullable Throwable trouble, UpstreamServer server) {
    if (trouble == null) {
      return value;
    }
    Throwable cause = Causes.of(trouble);
    if (cause instanceof ConsentException known) {
      throw known;
    } else if (cause instanceof UnusableSecretException) {
      throw new ConsentException(
          "Tokens can't be kept: "
              + cause.getMessage()
              + ". Tell the administrator (runstone.upstream.keys-file).");
    } else if (cause instanceof OAuthException) {
      throw new ConsentException(
          server.name()
              + " can't be connected. Its authorization server: "
              + cause.getMessage()
              + ".");
    }
    throw new CompletionException(cause);
  }
}
