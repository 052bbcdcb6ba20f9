package io.runstone.app;

import io.runstone.concurrent.Threads;
import io.runstone.config.AuthSettings;
import io.runstone.config.Settings;
import io.runstone.security.Challenge;
import io.runstone.security.Scope;
import io.runstone.security.apikey.ApiKeyLogin;
import io.runstone.security.jwt.JwtLogin;
import io.runstone.security.login.Authenticator;
import io.runstone.security.login.ContainerLogin;
import io.runstone.security.login.NoLogin;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.Optional;
import java.util.Set;

/** Makes the login that is configured. */
@ApplicationScoped
class Logins {
  @Produces
  @Singleton
  Authenticator authenticator(Settings settings, Threads threads, Clock clock) {
    AuthSettings auth = settings.auth();
    if (auth instanceof AuthSettings.ApiKey apiKey) {
      return new ApiKeyLogin(apiKey.file(), clock);
    } else if (auth instanceof AuthSettings.Container) {
      return new ContainerLogin();
    } else if (auth instanceof AuthSettings.None none) {
      return new NoLogin(none.fromTheNetwork());
    }
    return new JwtLogin((AuthSettings.Jwt) auth, threads, clock, System::nanoTime);
  }

  @Produces
  @Singleton
  Challenge challenge(Settings settings) {
    return new Challenge(
        settings.auth() instanceof AuthSettings.Jwt jwt
            ? Optional.of(jwt.resource().toString())
            : Optional.empty(),
        offered(settings));
  }

  static Set<Scope> offered(Settings settings) {
    return settings.upstream().file().isPresent() ? Scope.USUAL : Scope.WITHOUT_UPSTREAM;
  }
}
