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
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;

/** The logins of a server, an authorization server, and what users of them do. */
final class OAuthBench implements AutoCloseable {
  static final Requester ANNA = Requester.of(new UserId("anna"));
  static final Requester BEN = Requester.of(new UserId("ben"));

  final AuthorizationServer issuer;
  final Path data;
  final Path keys;
  final MovedClock clock = new MovedClock();
  final Threads threads = new Threads(Thread::new);
  final TestSettings settings;
  volatile List<UpstreamServer> servers = List.of();
  UpstreamLogins logins;

  /** The system's clock, moved. */
  static final class MovedClock extends Clock {
    private volatile Duration by = Duration.ZERO;

    void advance(Duration time) {
      by = by.plus(time);
    }

    @Override
    public Instant instant() {
      return Instant.now().plus(by);
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      throw new UnsupportedOperationException();
    }
  }

  OAuthBench(Path data) throws IOException {
    this.data = data;
    this.issuer = new AuthorizationServer();
    this.keys = data.resolve("keys");
    keys("k1");
    this.settings =
        new TestSettings(data)
            .with("runstone.base-url", "http://localhost:8222/")
            .with("runstone.upstream.keys-file", keys.toString());
    logins = open();
    declare(crm());
  }

  private UpstreamLogins open() {
    return UpstreamLogins.open(settings.read(), threads, clock, () -> servers);
  }

  void keys(String... ids) throws IOException {
    StringBuilder lines = new StringBuilder();
    for (String id : ids) {
      byte[] key = new byte[32];
      java.util.Arrays.fill(key, (byte) id.hashCode());
      lines.append(id).append(' ').append(Base64.getEncoder().encodeToString(key)).append('\n');
    }
    Files.writeString(keys, lines);
    Files.setPosixFilePermissions(keys, PosixFilePermissions.fromString("rw-------"));
  }

  /** Ends the server and starts another over the same files. */
  void restart() {
    logins.close();
    logins = open();
  }

  void declare(UpstreamServer... declared) {
    servers = List.of(declared);
  }

  UpstreamServer crm() {
    return Declared.server("crm", issuer.mcp(), login(Optional.empty(), Optional.empty()));
  }

  static UpstreamServer.Login.OAuth login(Optional<URI> issuer, Optional<String> client) {
    return new UpstreamServer.Login.OAuth(issuer, client, Optional.empty(), List.of());
  }

  Authorizer authorizer(Requester who) {
    return logins.authorizer(new UpstreamCaller(who, "session"), servers.get(0));
  }

  String header(Requester who) {
    return header(authorizer(who));
  }

  static String header(Authorizer authorizer) {
    return done(authorizer.header().toCompletableFuture()::join).orElseThrow();
  }

  URI begin(Requester who, String browser) {
    return done(logins.connections().connect(who, "crm", browser).toCompletableFuture()::join);
  }

  void finish(Requester who, String browser, Map<String, String> answer) {
    done(logins.connections().finish(who, browser, answer).toCompletableFuture()::join);
  }

  void connect(Requester who) {
    finish(who, "browser", issuer.consent(begin(who, "browser"), who.user().value()));
  }

  void disconnect(Requester who) {
    done(logins.connections().disconnect(who, "crm").toCompletableFuture()::join);
  }

  /** What a stage gave, or what it failed with. */
  static <T> T done(java.util.function.Supplier<T> join) {
    try {
      return join.get();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException known) {
        throw known;
      }
      throw e;
    }
  }

  @Override
  public void close() {
    logins.close();
    issuer.close();
    threads.close();
  }
}
