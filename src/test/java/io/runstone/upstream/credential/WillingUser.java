package io.runstone.upstream.credential;

import io.runstone.concurrent.Threads;
import io.runstone.config.TestSettings;
import io.runstone.security.Requester;
import io.runstone.security.UserId;
import io.runstone.testing.AuthorizationServer;
import io.runstone.upstream.Authorizer;
import io.runstone.upstream.UpstreamCaller;
import io.runstone.upstream.UpstreamServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A user of one upstream server, whose browser consents to whatever it is asked for. The
 * authorization server has to send it back at once.
 */
public final class WillingUser implements AutoCloseable {
  private static final Requester USER = Requester.of(new UserId("anna"));
  private static final String BROWSER = "browser";

  private final Threads threads = new Threads(Thread::new);
  private final UpstreamServer server;
  private final UpstreamLogins logins;

  /**
   * Declares the server.
   *
   * @param data an empty directory
   * @param client who asks for consent; nobody yet if empty
   * @param secret of the client
   * @param base where this server would be reached; by others too if it begins with {@code https}
   */
  public WillingUser(
      Path data, URI url, Optional<String> client, Optional<String> secret, String base)
      throws IOException {
    Path keys = secretFile(data, "keys", "k1 " + Base64.getEncoder().encodeToString(new byte[32]));
    Optional<Path> secretFile =
        secret.isEmpty()
            ? Optional.empty()
            : Optional.of(secretFile(data, "secret", secret.orElseThrow()));
    this.server =
        Declared.server(
            "upstream",
            url,
            new UpstreamServer.Login.OAuth(Optional.empty(), client, secretFile, List.of()));
    this.logins =
        UpstreamLogins.open(
            new TestSettings(data)
                .with("runstone.base-url", base)
                .with("runstone.upstream.client-metadata", "" + base.startsWith("https:"))
                .with("runstone.upstream.keys-file", keys.toString())
                .read(),
            threads,
            Clock.systemUTC(),
            () -> List.of(server));
  }

  private static Path secretFile(Path data, String name, String line) throws IOException {
    Path file = Files.writeString(data.resolve(name), line + "\n");
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }

  /** What the server is declared as. */
  public UpstreamServer server() {
    return server;
  }

  /** For one call; the next gets another. */
  public Authorizer authorizer() {
    return logins.authorizer(new UpstreamCaller(USER, "session"), server);
  }

  /** Connects the server. */
  public void consent()
      throws IOException, InterruptedException, ExecutionException, TimeoutException {
    Connections connections = logins.connections();
    URI link = get(connections.connect(USER, server.name().value(), BROWSER));
    HttpResponse<Void> answer =
        HttpClient.newHttpClient()
            .send(HttpRequest.newBuilder(link).build(), HttpResponse.BodyHandlers.discarding());
    URI back =
        URI.create(
            answer
                .headers()
                .firstValue("Location")
                .orElseThrow(() -> new IOException("not sent back: " + answer.statusCode())));
    get(connections.finish(USER, BROWSER, AuthorizationServer.form(back.getRawQuery())));
  }

  private static <T> T get(CompletionStage<T> stage)
      throws InterruptedException, ExecutionException, TimeoutException {
    return stage.toCompletableFuture().get(20, TimeUnit.SECONDS);
  }

  @Override
  public void close() {
    logins.close();
    threads.close();
  }
}
