package io.runstone.console;

import io.runstone.config.AuthSettings;
import io.runstone.config.Settings;
import io.runstone.security.Challenge;
import io.runstone.security.apikey.ApiKeyLogin;
import io.runstone.security.jwt.JwtLogin;
import io.runstone.security.login.AuthenticationFilter;
import io.runstone.security.login.Authenticator;
import io.runstone.security.login.LoginRefusals;
import io.runstone.upstream.credential.UpstreamLogins;
import io.runstone.upstream.oauth.ClientDocument;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRegistration;
import java.net.URI;
import java.time.Clock;
import java.util.Optional;

/** The pages, put together. Thread-safe. */
public final class Console {
  private final BrowserSessions sessions;
  private final BrowserLogin browsers;
  private final ConsoleCookie cookie;
  private final UpstreamLogins logins;
  private final Authenticator api;

  /**
   * Creates the pages.
   *
   * @param api the login of requests
   */
  public Console(Settings settings, Authenticator api, UpstreamLogins logins, Clock clock) {
    this.logins = logins;
    this.api = api;
    this.sessions = new BrowserSessions(clock);
    Optional<String> base = UpstreamLogins.base(settings);
    this.cookie =
        new ConsoleCookie(
            "runstone-browser", base.map(url -> url.startsWith("https:")).orElse(false));
    this.browsers = browsers(settings, base, clock);
  }

  private BrowserLogin browsers(Settings settings, Optional<String> base, Clock clock) {
    if (api instanceof ApiKeyLogin keys) {
      return new BrowserLogin.Key(keys);
    } else if (!(api instanceof JwtLogin tokens)
        || !(settings.auth() instanceof AuthSettings.Jwt jwt)) {
      return new BrowserLogin.OfRequest();
    } else if (jwt.loginClient().isEmpty() || base.isEmpty()) {
      return new BrowserLogin.Impossible(
          "The administrator has to make a client for this page at the issuer and to set"
              + " runstone.auth.jwt.login-client-id.");
    } else {
      return new BrowserLogin.OpenId(
          new OpenIdLogin(
              tokens,
              jwt,
              jwt.loginClient().orElseThrow(),
              logins.discovery(),
              logins.http(),
              URI.create(base.orElseThrow() + ConsolePaths.LOGIN_CALLBACK),
              clock));
    }
  }

  /** The filter before everything: the login of requests, and on the pages that of browsers. */
  public AuthenticationFilter filter(Challenge challenge, LoginRefusals refusals) {
    return new AuthenticationFilter(
        new ConsoleAuthenticator(api, browsers, sessions, cookie),
        challenge,
        refusals,
        ConsolePaths.OPEN);
  }

  /** Adds the pages to the application. */
  public void register(ServletContext context) {
    boolean canLogOut = !(browsers instanceof BrowserLogin.OfRequest);
    ServletRegistration.Dynamic pages =
        context.addServlet(
            "ConnectionsServlet",
            new ConnectionsServlet(logins.connections(), sessions, cookie, canLogOut));
    pages.setAsyncSupported(true);
    pages.addMapping(ConsolePaths.OF_SESSION.toArray(String[]::new));
    ServletRegistration.Dynamic login =
        context.addServlet("LoginServlet", new LoginServlet(browsers, sessions, cookie));
    login.setAsyncSupported(true);
    login.addMapping(ConsolePaths.OF_LOGIN.toArray(String[]::new));
    logins
        .document()
        .ifPresent(
            document ->
                context
                    .addServlet("ClientDocumentServlet", new ClientDocumentServlet(document))
                    .addMapping(ClientDocument.PATH));
  }
}
