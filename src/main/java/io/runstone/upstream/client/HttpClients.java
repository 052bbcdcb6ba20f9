package io.runstone.upstream.client;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.runstone.concurrent.Threads;
import io.runstone.upstream.TrustedCertificates;
import io.runstone.upstream.UpstreamException;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;

/**
 * One {@code HttpClient} for each set of trusted certificates, made when it is first needed and
 * forgotten a while after the last conversation that used it. The JDK's client has no end of its
 * own before 21: its thread and its idle connections go once nobody refers to it. Thread-safe.
 */
final class HttpClients {
  private final ClientSettings settings;
  private final Executor executor;
  private final ScheduledExecutorService timer;
  private final Object lock = new Object();

  @GuardedBy("lock") private final Map<Optional<Path>, Shared> shared = new HashMap<>();

  HttpClients(ClientSettings settings, Executor executor, ScheduledExecutorService timer) {
    this.settings = settings;
    this.executor = executor;
    this.timer = timer;
  }

  /**
   * The right to use a client until it is given back. What is left of a conversation after that
   * keeps no client alive. Thread-safe.
   */
  final class Lease {
    private final Optional<Path> trust;
    private volatile Optional<HttpClient> client;

    private Lease(Optional<Path> trust, HttpClient client) {
      this.trust = trust;
      this.client = Optional.of(client);
    }

    /** The client; empty after the end. */
    Optional<HttpClient> client() {
      return client;
    }

    /** Gives it back; once. */
    void end() {
      client = Optional.empty();
      giveBack(trust);
    }
  }

  private static final class Shared {
    final HttpClient client;
    int users;
    long uses;

    Shared(HttpClient client) {
      this.client = client;
    }
  }

  /**
   * Lends the client of a TLS configuration.
   *
   * @throws UpstreamException if the certificates can't be used
   */
  Lease lend(Optional<Path> trust) {
    synchronized (lock) {
      Shared one = shared.get(trust);
      if (one != null) {
        one.users++;
        one.uses++;
        return new Lease(trust, one.client);
      }
    }
    HttpClient made = make(trust); // reads a file, so not under the lock
    synchronized (lock) {
      Shared one = shared.computeIfAbsent(trust, key -> new Shared(made));
      one.users++;
      one.uses++;
      return new Lease(trust, one.client);
    }
  }

  private void giveBack(Optional<Path> trust) {
    synchronized (lock) {
      Shared one = shared.get(trust);
      if (one == null || --one.users > 0) {
        return;
      }
      long uses = one.uses;
      if (!timer.isShutdown()) {
        timer.schedule(
            () -> forget(trust, one, uses), settings.linger().toMillis(), TimeUnit.MILLISECONDS);
      }
    }
  }

  private void forget(Optional<Path> trust, Shared one, long uses) {
    synchronized (lock) {
      if (one.users == 0 && one.uses == uses) {
        shared.remove(trust, one);
      }
    }
  }

  /** How many there are. */
  int count() {
    synchronized (lock) {
      return shared.size();
    }
  }

  /** Forgets all of them. */
  void close() {
    synchronized (lock) {
      shared.clear();
    }
  }

  private HttpClient make(Optional<Path> trust) {
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1) // no h2c upgrade, and a call's end is its close
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(settings.connectTimeout())
            .executor(executor);
    trust.map(HttpClients::trusting).ifPresent(builder::sslContext);
    // Its own thread keeps the loader of who made it, and ends some time after that.
    return Threads.outsideTheApplication(builder::build);
  }

  private static SSLContext trusting(Path file) {
    try {
      return TrustedCertificates.read(file);
    } catch (IOException | GeneralSecurityException e) {
      throw new UpstreamException(
          UpstreamException.Kind.UNAVAILABLE,
          "the file of certificates to trust for this server can't be used; the administrator has"
              + " to put PEM certificates there");
    }
  }
}
