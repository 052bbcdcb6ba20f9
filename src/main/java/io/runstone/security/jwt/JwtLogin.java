package io.runstone.security.jwt;

import io.runstone.concurrent.Threads;
import io.runstone.config.AuthSettings;
import io.runstone.security.Requester;
import io.runstone.security.Scope;
import io.runstone.security.SubjectToken;
import io.runstone.security.UserId;
import io.runstone.security.login.Authenticator;
import io.runstone.security.login.Credential;
import io.runstone.security.login.Login;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.LongSupplier;

/** Login by a token in {@code Authorization: Bearer}. Thread-safe. */
public final class JwtLogin implements Authenticator {
  private final AuthSettings.Jwt settings;
  private final ThreadPoolExecutor fetchers;
  private final ScheduledThreadPoolExecutor timer;
  private final TokenCheck check;

  /** Begins to fetch the keys of the issuers. */
  public JwtLogin(AuthSettings.Jwt settings, Threads threads, Clock clock, LongSupplier nanoTime) {
    this.settings = settings;
    this.fetchers =
        threads.queued("auth-keys", settings.issuers().size(), settings.issuers().size());
    this.timer = threads.timer("auth-timer");
    Map<String, IssuerKeys> issuers = new LinkedHashMap<>();
    for (AuthSettings.Issuer issuer : settings.issuers()) {
      issuers.put(
          issuer.name(),
          new IssuerKeys(
              issuer.name(),
              new IssuerMetadata(issuer, new BoundedFetch(timer)),
              settings.keys(),
              fetchers,
              nanoTime));
    }
    issuers.values().forEach(IssuerKeys::prepare);
    this.check = new TokenCheck(settings, issuers, clock);
  }

  @Override
  public Login authenticate(HttpServletRequest request, HttpServletResponse response) {
    List<String> tokens = Credential.bearer(request);
    if (tokens.isEmpty()) {
      return new Login.Missing();
    } else if (tokens.size() > 1) {
      return new Login.Rejected("this request has more than one token; send one");
    }
    try {
      return new Login.Accepted(
          TokenClaims.requester(
              check.check(tokens.get(0)),
              settings,
              request.getRemoteAddr(),
              new SubjectToken(tokens.get(0))));
    } catch (TokenCheck.BadTokenException e) {
      return new Login.Rejected(String.valueOf(e.getMessage()));
    } catch (IssuerKeys.UnavailableException e) {
      return new Login.Unavailable();
    }
  }

  /**
   * What an ID token has to be.
   *
   * @param nonce what was asked with
   */
  public record Expected(String issuer, String clientId, String nonce) {}

  /**
   * Logs in by an ID token that an issuer gave this server for a browser.
   *
   * @param scopes that the issuer granted with it
   */
  public Login byIdToken(String token, Expected expected, Set<String> scopes, String address) {
    try {
      UserId user = TokenClaims.user(check.checkIdToken(token, expected), settings);
      return new Login.Accepted(
          new Requester(
              user,
              Scope.allOf(scopes),
              expected.clientId(),
              address,
              Scope.upstreamsOf(scopes),
              Optional.empty()));
    } catch (TokenCheck.BadTokenException e) {
      return new Login.Rejected(String.valueOf(e.getMessage()));
    } catch (IssuerKeys.UnavailableException e) {
      return new Login.Unavailable();
    }
  }

  @Override
  public void close() {
    fetchers.shutdownNow();
    timer.shutdownNow();
  }
}
