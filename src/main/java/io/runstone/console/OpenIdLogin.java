package io.runstone.console;

import io.runstone.concurrent.Causes;
import io.runstone.config.AuthSettings;
import io.runstone.security.Scope;
import io.runstone.security.Sha256;
import io.runstone.security.jwt.JwtLogin;
import io.runstone.security.login.Login;
import io.runstone.upstream.oauth.ClientIdentity;
import io.runstone.upstream.oauth.ConsentException;
import io.runstone.upstream.oauth.Discovery;
import io.runstone.upstream.oauth.Issuer;
import io.runstone.upstream.oauth.OAuthException;
import io.runstone.upstream.oauth.OAuthHttp;
import io.runstone.upstream.oauth.Pending;
import io.runstone.upstream.oauth.Pkce;
import io.runstone.upstream.oauth.TokenAnswer;
import io.runstone.upstream.oauth.TokenEndpoint;
import io.runstone.upstream.vault.SecretFile;
import io.runstone.upstream.vault.UnusableSecretException;
import java.net.URI;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Login of a browser at the issuer of the access tokens: OpenID Connect's code flow with PKCE. An
 * answer is good only once, for ten minutes, and for the browser that asked. Thread-safe; failures
 * are {@link ConsentException}s.
 */
final class OpenIdLogin {
  private static final String SCOPE = "openid " + Scope.UPSTREAM.label();

  private final JwtLogin login;
  private final AuthSettings.Jwt settings;
  private final AuthSettings.LoginClient client;
  private final Optional<SecretFile> secret;
  private final Discovery discovery;
  private final OAuthHttp http;
  private final URI redirect;
  private final Pending<Asked> asked;

  /** Where a browser has to go, and what it has to bring back in a cookie. */
  record Start(URI link, String cookie) {
    @Override
    public String toString() {
      return "Start";
    }
  }

  /**
   * Who has logged in.
   *
   * @param server that the browser wanted to see; may be empty
   */
  record Done(Login login, String server) {}

  private record Asked(
      Issuer issuer, String verifier, String nonce, String cookieSha256, String server) {
    @Override
    public String toString() {
      return "Asked";
    }
  }

  OpenIdLogin(
      JwtLogin login,
      AuthSettings.Jwt settings,
      AuthSettings.LoginClient client,
      Discovery discovery,
      OAuthHttp http,
      URI redirect,
      Clock clock) {
    this.login = login;
    this.settings = settings;
    this.client = client;
    this.secret = client.secretFile().map(path -> new SecretFile(path, clock));
    this.discovery = discovery;
    this.http = http;
    this.redirect = redirect;
    this.asked = new Pending<>(clock);
  }

  /** Begins; the issuer is the first that is configured. */
  CompletionStage<Start> begin(String server) {
    return discovery
        .issuer(settings.issuers().get(0).name(), true, Optional.empty())
        .thenApply(issuer -> start(issuer, server))
        .handle(OpenIdLogin::told);
  }

  private Start start(Issuer issuer, String server) {
    String state = Pkce.random();
    String cookie = Pkce.random();
    Asked question = new Asked(issuer, Pkce.random(), Pkce.random(), Sha256.hex(cookie), server);
    Map<String, String> query = new LinkedHashMap<>();
    query.put("response_type", "code");
    query.put("client_id", client.id());
    query.put("redirect_uri", redirect.toString());
    query.put("scope", SCOPE);
    query.put("state", state);
    query.put("nonce", question.nonce());
    query.put("code_challenge", Pkce.challenge(question.verifier()));
    query.put("code_challenge_method", "S256");
    asked.add(state, question);
    return new Start(TokenEndpoint.link(issuer.authorization(), query), cookie);
  }

  /** Takes what a browser came back with. */
  CompletionStage<Done> finish(
      Map<String, String> answer, Optional<String> cookie, String address) {
    Asked question;
    ClientIdentity identity;
    try {
      question = question(answer, cookie);
      identity = identity(question.issuer());
    } catch (ConsentException e) {
      return CompletableFuture.failedStage(e);
    }
    Map<String, String> form = new LinkedHashMap<>();
    form.put("grant_type", "authorization_code");
    form.put("code", answer.getOrDefault("code", ""));
    form.put("redirect_uri", redirect.toString());
    form.put("code_verifier", question.verifier());
    return new TokenEndpoint(http, question.issuer().token(), Optional.empty())
        .ask(identity, form)
        .thenApply(tokens -> new Done(user(tokens, question, address), question.server()))
        .handle(OpenIdLogin::told);
  }

  private Asked question(Map<String, String> answer, Optional<String> cookie) {
    Asked question =
        asked
            .take(answer.getOrDefault("state", ""))
            .filter(one -> cookie.map(Sha256::hex).equals(Optional.of(one.cookieSha256())))
            .orElseThrow(
                () ->
                    new ConsentException(
                        "This login was not begun in this browser, or it took too long. Begin it"
                            + " once more."));
    Optional<String> from = Optional.ofNullable(answer.get("iss"));
    boolean mixedUp =
        from.isPresent()
            ? !from.orElseThrow().equals(question.issuer().name())
            : question.issuer().namesItself();
    if (mixedUp) {
      throw new ConsentException("The answer is not from the issuer that was asked.");
    } else if (answer.containsKey("error") || !answer.containsKey("code")) {
      throw new ConsentException("The issuer did not log you in.");
    }
    return question;
  }

  private ClientIdentity identity(Issuer issuer) {
    try {
      Optional<String> value =
          secret.isPresent() ? Optional.of(secret.orElseThrow().firstLine()) : Optional.empty();
      return ClientIdentity.of(client.id(), value, issuer.methods());
    } catch (UnusableSecretException e) {
      throw new ConsentException(
          "The file runstone.auth.jwt.login-client-secret-file can't be used: " + e.getMessage());
    }
  }

  private Login user(TokenAnswer tokens, Asked question, String address) {
    Set<String> scopes = tokens.scopes().orElse(Set.of(SCOPE.split(" ", -1)));
    return tokens
        .idToken()
        .map(
            token ->
                login.byIdToken(
                    token,
                    new JwtLogin.Expected(question.issuer().name(), client.id(), question.nonce()),
                    scopes,
                    address))
        .orElseThrow(() -> new ConsentException("The issuer's answer has no ID token."));
  }

  private static <T> T told(T value, @Nullable Throwable trouble) {
    if (trouble == null) {
      return value;
    }
    Throwable cause = Causes.of(trouble);
    if (cause instanceof ConsentException known) {
      throw known;
    }
    throw new ConsentException(
        "The issuer of this server's logins can't log you in: "
            + (cause instanceof OAuthException ? cause.getMessage() : "an internal error")
            + ".");
  }
}
