package io.runstone.security.jwt;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKMatcher;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.JWKSet;
import io.runstone.config.AuthSettings;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The keys of one issuer, fetched and kept. They are fetched again in the background when they get
 * old, and for a token whose key is not among them; never more often than once per cooldown,
 * whatever tokens come, and by a thread of its own. While none can be fetched those that are there
 * go on to be used until their lifetime ends. Thread-safe.
 */
final class IssuerKeys {
  private static final System.Logger LOG = System.getLogger(IssuerKeys.class.getName());

  /** How long a request waits for keys that are being fetched. */
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final String issuer;
  private final KeySource source;
  private final AuthSettings.KeyTerms terms;
  private final Executor fetchers;
  private final LongSupplier nanoTime;
  private final Object lock = new Object();

  @GuardedBy("lock") private @Nullable Fetched fetched;

  @GuardedBy("lock") private @Nullable CompletableFuture<Boolean> fetching;

  @GuardedBy("lock") private @Nullable Long lastTry;

  private record Fetched(JWKSet keys, long nanos) {}

  /** There are no keys to check a token with; this is not the token's fault. */
  static final class UnavailableException extends Exception {
    private static final long serialVersionUID = 1L;
  }

  IssuerKeys(
      String issuer,
      KeySource source,
      AuthSettings.KeyTerms terms,
      Executor fetchers,
      LongSupplier nanoTime) {
    this.issuer = issuer;
    this.source = source;
    this.terms = terms;
    this.fetchers = fetchers;
    this.nanoTime = nanoTime;
  }

  /** Begins to fetch the keys, so that the first request finds them. */
  void prepare() {
    refresh();
  }

  /**
   * The keys that a token may be signed with; none if the issuer has no such key. Waits for at most
   * two seconds, and only when a fetch is under way that may bring it.
   */
  List<JWK> select(JWKMatcher wanted) throws UnavailableException {
    Fetched known = current();
    if (known != null) {
      List<JWK> found = new JWKSelector(wanted).select(known.keys());
      if (!found.isEmpty()) {
        if (age(known) > terms.refresh().toNanos()) {
          refresh();
        }
        return found;
      }
    }
    CompletableFuture<Boolean> underWay = refresh();
    if (underWay != null) {
      await(underWay);
    }
    Fetched now = current();
    if (now == null) {
      throw new UnavailableException();
    }
    return new JWKSelector(wanted).select(now.keys());
  }

  private long age(Fetched known) {
    return nanoTime.getAsLong() - known.nanos();
  }

  /** The keys, if they are not too old. */
  private @Nullable Fetched current() {
    synchronized (lock) {
      return fetched != null && age(fetched) <= terms.lifetime().toNanos() ? fetched : null;
    }
  }

  /** Begins to fetch unless that was done a short while ago; null if waiting brings nothing. */
  private @Nullable CompletableFuture<Boolean> refresh() {
    CompletableFuture<Boolean> begun = new CompletableFuture<>();
    synchronized (lock) {
      long now = nanoTime.getAsLong();
      if (fetching != null) {
        return lastTry != null && now - lastTry < PATIENCE.toNanos() ? fetching : null;
      }
      if (lastTry != null && now - lastTry < terms.cooldown().toNanos()) {
        return null;
      }
      lastTry = now;
      fetching = begun;
    }
    try {
      fetchers.execute(() -> fetch(begun));
    } catch (RejectedExecutionException e) {
      done(begun, null);
    }
    return begun;
  }

  private void fetch(CompletableFuture<Boolean> begun) {
    Fetched now = null;
    try {
      JWKSet keys = source.fetch();
      now = new Fetched(keys, nanoTime.getAsLong());
    } catch (BoundedFetch.FetchException e) {
      LOG.log(
          System.Logger.Level.WARNING,
          "{0}: the keys of this issuer can''t be fetched ({1}); those known already are used",
          issuer,
          String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.ERROR, "the keys of an issuer can't be fetched", e);
    } finally {
      done(begun, now);
    }
  }

  private void done(CompletableFuture<Boolean> begun, @Nullable Fetched now) {
    synchronized (lock) {
      if (now != null) {
        fetched = now;
      }
      fetching = null;
    }
    begun.complete(now != null);
  }

  private static void await(CompletableFuture<Boolean> underWay) {
    try {
      underWay.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      LOG.log(System.Logger.Level.DEBUG, "no keys came in time");
    }
  }
}
