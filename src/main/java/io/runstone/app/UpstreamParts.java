package io.runstone.app;

import io.runstone.concurrent.Threads;
import io.runstone.config.Settings;
import io.runstone.upstream.DeclaredServers;
import io.runstone.upstream.credential.UpstreamLogins;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.List;

/** Makes what upstream servers need; only asked for if a file declares such servers. */
@ApplicationScoped
class UpstreamParts {
  @Produces
  @Singleton
  UpstreamLogins logins(
      Settings settings, Threads threads, Clock clock, Instance<DeclaredServers> servers) {
    return UpstreamLogins.open(
        settings, threads, clock, () -> servers.isResolvable() ? servers.get().all() : List.of());
  }

  void close(@Disposes UpstreamLogins logins) {
    logins.close();
  }
}
