package io.runstone.console;

import io.runstone.upstream.DeclaredServers;
import io.runstone.upstream.ServerName;
import io.runstone.upstream.UpstreamServer;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Alternative;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;

/**
 * Servers with the login {@code oauth}, as a resource of the WAR has them: a name and a URL each.
 */
@Alternative
@Priority(1)
@ApplicationScoped
public class TestServers implements DeclaredServers {
  static final String RESOURCE = "test-servers.properties";

  @Override
  public List<UpstreamServer> all() {
    Properties declared = new Properties();
    try (InputStream in = TestServers.class.getResourceAsStream("/" + RESOURCE)) {
      declared.load(Objects.requireNonNull(in));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return declared.stringPropertyNames().stream()
        .map(name -> server(name, URI.create(declared.getProperty(name))))
        .toList();
  }

  private static UpstreamServer server(String name, URI url) {
    return new UpstreamServer(
        new ServerName(name),
        url,
        "The " + name + " <of> tests",
        "",
        new UpstreamServer.Login.OAuth(
            Optional.empty(), Optional.empty(), Optional.empty(), List.of()),
        false,
        UpstreamServer.ToolFilter.ALL,
        Duration.ofSeconds(10),
        Optional.empty());
  }
}
