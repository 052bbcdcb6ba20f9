package io.runstone.app;

import io.runstone.concurrent.Threads;
import io.runstone.config.Settings;
import io.runstone.security.audit.AuditLog;
import io.runstone.upstream.Credentials;
import io.runstone.upstream.ServerDirectory;
import io.runstone.upstream.UpstreamConnector;
import io.runstone.upstream.Upstreams;
import io.runstone.upstream.broker.UpstreamBroker;
import io.runstone.upstream.broker.UpstreamControl;
import io.runstone.upstream.credential.UpstreamLogins;
import io.runstone.upstream.pool.PoolLimits;
import io.runstone.upstream.pool.UpstreamSessionPool;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What there is of upstream servers, from deployment to undeployment: the file that declares them,
 * the pool of sessions, and what users and administrators do with it. Without a file there are no
 * servers, and none of its threads ever starts. Thread-safe.
 */
final class UpstreamParts implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(UpstreamParts.class.getName());
  private static final long TEND_MILLIS = 1000;

  private final ServerDirectory directory;
  private final Optional<UpstreamLogins> logins;
  private final UpstreamSessionPool pool;
  private final ScheduledThreadPoolExecutor timer;
  private final ThreadPoolExecutor keeper;
  private final AtomicBoolean tending = new AtomicBoolean();
  private final Upstreams upstreams;
  private final UpstreamControl control;

  UpstreamParts(
      Settings settings,
      Threads threads,
      AuditLog audit,
      Clock clock,
      ServerDirectory directory,
      Optional<UpstreamLogins> logins,
      UpstreamConnector connector) {
    this.directory = directory;
    this.logins = logins;
    Credentials credentials = logins.<Credentials>map(known -> known).orElse(Credentials.NONE);
    PoolLimits limits = PoolLimits.of(settings.upstream());
    this.pool =
        new UpstreamSessionPool(connector, credentials, directory, () -> limits, System::nanoTime);
    this.timer = threads.timer("upstream-broker");
    this.upstreams = new UpstreamBroker(directory, credentials, pool, audit, clock, timer);
    this.control = new UpstreamControl(directory, pool, audit, clock);
    this.keeper = threads.serial("upstream-keeper", 1);
    logins.ifPresent(known -> known.onChange(control::changed));
    if (settings.upstream().file().isPresent()) {
      timer.scheduleWithFixedDelay(this::tend, TEND_MILLIS, TEND_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  /** Looks at the file and at what has become idle; on a thread that may wait for a disk. */
  private void tend() {
    if (tending.compareAndSet(false, true)) {
      try {
        keeper.execute(
            () -> {
              try {
                directory.refreshIfChanged();
                pool.tend();
              } finally {
                tending.set(false);
              }
            });
      } catch (RejectedExecutionException e) {
        LOG.log(System.Logger.Level.DEBUG, "the application is ending");
      }
    }
  }

  Upstreams upstreams() {
    return upstreams;
  }

  /** How users are known to servers; empty when there can't be any. */
  Optional<UpstreamLogins> logins() {
    return logins;
  }

  UpstreamControl control() {
    return control;
  }

  @Override
  public void close() {
    timer.shutdownNow();
    keeper.shutdown();
    pool.close();
    logins.ifPresent(UpstreamLogins::close);
  }
}
