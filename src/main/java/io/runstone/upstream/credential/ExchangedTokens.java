package io.runstone.upstream.credential;

import static io.runstone.upstream.UpstreamException.Kind.FORBIDDEN;
import static io.runstone.upstream.UpstreamException.Kind.UNAVAILABLE;

import io.runstone.concurrent.Causes;
import io.runstone.security.Requester;
import io.runstone.security.Sha256;
import io.runstone.security.SubjectToken;
import io.runstone.security.UserId;
import io.runstone.upstream.Authorizer;
import io.runstone.upstream.UpstreamException;
import io.runstone.upstream.UpstreamServer;
import io.runstone.upstream.oauth.ClientIdentity;
import io.runstone.upstream.oauth.OAuthException;
import io.runstone.upstream.oauth.OAuthHttp;
import io.runstone.upstream.oauth.SingleFlight;
import io.runstone.upstream.oauth.TokenAnswer;
import io.runstone.upstream.oauth.TokenEndpoint;
import io.runstone.upstream.vault.Recent;
import io.runstone.upstream.vault.SecretFile;
import io.runstone.upstream.vault.UnusableSecretException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * The login with tokens that are given for the caller's own (RFC 8693). Those are kept until
 * shortly before they expire; the caller's own goes to the authorization server and nowhere else.
 * Thread-safe.
 */
final class ExchangedTokens {
  private static final int MAX_KEPT = 10_000;
  private static final Duration EARLY = Duration.ofSeconds(30);

  /** For a token that does not say how long it lives. */
  private static final Duration UNSAID = Duration.ofMinutes(1);

  private final OAuthHttp http;
  private final Function<Path, SecretFile> files;
  private final Clock clock;
  private final Recent<Key, Token> kept = new Recent<>(MAX_KEPT);
  private final SingleFlight<Key, Token> exchanges = new SingleFlight<>();

  /** Another declaration, or another token of the caller's, is another key. */
  private record Key(
      UserId user, String subjectSha256, URI server, UpstreamServer.Login.Exchange login) {}

  private record Token(String value, Instant until) {
    @Override
    public String toString() {
      return "Token[" + until + "]";
    }
  }

  ExchangedTokens(OAuthHttp http, Function<Path, SecretFile> files, Clock clock) {
    this.http = http;
    this.files = files;
    this.clock = clock;
  }

  Authorizer authorizer(
      Requester requester, UpstreamServer server, UpstreamServer.Login.Exchange login) {
    Optional<SubjectToken> subject = requester.token();
    if (subject.isEmpty()) {
      return () ->
          CompletableFuture.failedStage(
              new UpstreamException(
                  FORBIDDEN,
                  server.name()
                      + " needs a login with tokens, and this request has none; the administrator"
                      + " can set runstone.auth=jwt"));
    }
    return new Exchanging(requester.user(), subject.orElseThrow(), server, login);
  }

  private CompletionStage<Token> token(
      Key key, SubjectToken subject, UpstreamServer server, UpstreamServer.Login.Exchange login) {
    Optional<Token> known = kept.get(key).filter(one -> clock.instant().isBefore(one.until()));
    if (known.isPresent()) {
      return CompletableFuture.completedStage(known.orElseThrow());
    }
    return exchanges.run(
        key,
        () ->
            exchange(subject, server, login)
                .thenApply(
                    answer -> {
                      Token token =
                          new Token(
                              answer.access(),
                              clock
                                  .instant()
                                  .plus(answer.lifetime().orElse(UNSAID.plus(EARLY)))
                                  .minus(EARLY));
                      kept.put(key, token);
                      return token;
                    }));
  }

  private CompletionStage<TokenAnswer> exchange(
      SubjectToken subject, UpstreamServer server, UpstreamServer.Login.Exchange login) {
    ClientIdentity client;
    try {
      Optional<String> secret =
          login.clientSecretFile().isPresent()
              ? Optional.of(files.apply(login.clientSecretFile().orElseThrow()).firstLine())
              : Optional.empty();
      client = new ClientIdentity(login.clientId(), secret, false);
    } catch (UnusableSecretException e) {
      return CompletableFuture.failedStage(
          new UpstreamException(
              FORBIDDEN,
              "the client-secret-file of %s can't be used: %s; tell the administrator"
                  .formatted(server.name(), e.getMessage())));
    }
    Map<String, String> form = new LinkedHashMap<>();
    form.put("grant_type", "urn:ietf:params:oauth:grant-type:token-exchange");
    form.put("subject_token", subject.reveal());
    form.put("subject_token_type", "urn:ietf:params:oauth:token-type:access_token");
    form.put("requested_token_type", "urn:ietf:params:oauth:token-type:access_token");
    form.put("audience", login.audience());
    if (!login.scopes().isEmpty()) {
      form.put("scope", String.join(" ", login.scopes()));
    }
    return new TokenEndpoint(http, login.tokenEndpoint(), server.trust()).ask(client, form);
  }

  /** Of one caller and one server. */
  private final class Exchanging implements Authorizer {
    private final SubjectToken subject;
    private final UpstreamServer server;
    private final UpstreamServer.Login.Exchange login;
    private final Key key;
    private final OneRetry retry = new OneRetry();

    Exchanging(
        UserId user,
        SubjectToken subject,
        UpstreamServer server,
        UpstreamServer.Login.Exchange login) {
      this.subject = subject;
      this.server = server;
      this.login = login;
      this.key = new Key(user, Sha256.hex(subject.reveal()), server.url(), login);
    }

    @Override
    public CompletionStage<Optional<String>> header() {
      return token(key, subject, server, login)
          .handle(
              (token, trouble) -> {
                if (trouble != null) {
                  throw inWords(Causes.of(trouble));
                }
                retry.sent(token.value());
                return Optional.of("Bearer " + token.value());
              });
    }

    @Override
    public CompletionStage<Boolean> refused(int status, String challenge) {
      Optional<Token> current = kept.get(key);
      if (status == 401 && retry.isWorthIt(current.map(Token::value))) {
        current
            .filter(token -> retry.wasSent(token.value()))
            .ifPresent(token -> kept.remove(key, token));
        return CompletableFuture.completedStage(true);
      }
      return CompletableFuture.failedStage(
          new UpstreamException(
              FORBIDDEN,
              "%s refuses the token that was given for yours (HTTP %d); ask its administrator"
                  .formatted(server.name(), status)));
    }

    private RuntimeException inWords(Throwable trouble) {
      if (trouble instanceof UpstreamException known) {
        return known;
      } else if (trouble instanceof OAuthException oauth && !oauth.code().isEmpty()) {
        return new UpstreamException(
            FORBIDDEN,
            "the authorization server gives no token for %s (%s); ask its administrator"
                .formatted(server.name(), oauth.code()));
      }
      return new UpstreamException(
          UNAVAILABLE,
          "the authorization server of "
              + server.name()
              + " can't be asked: "
              + (trouble instanceof OAuthException ? trouble.getMessage() : "an internal error"));
    }
  }
}
