package io.runstone.upstream.credential;

import io.runstone.upstream.ServerName;
import io.runstone.upstream.UpstreamServer;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/** Upstream servers for tests. */
final class Declared {
  private Declared() {}

  static UpstreamServer server(String name, URI url, UpstreamServer.Login login) {
    return new UpstreamServer(
        new ServerName(name),
        url,
        "The " + name,
        "",
        login,
        false,
        UpstreamServer.ToolFilter.ALL,
        Duration.ofSeconds(10),
        Optional.empty());
  }
}
