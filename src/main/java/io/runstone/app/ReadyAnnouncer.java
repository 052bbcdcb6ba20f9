package io.runstone.app;

import io.runstone.concurrent.Threads;
import io.runstone.config.Settings;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.util.Optional;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Says in the log that the server is ready, and where, once it really answers: an application is
 * deployed before its server's port is open, so being deployed is not being ready. Used by one
 * thread.
 */
final class ReadyAnnouncer implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(ReadyAnnouncer.class.getName());
  private static final int TIMEOUT_MILLIS = 1000;
  private static final long RETRY_MILLIS = 200;

  private final String baseUrl;
  private final ScheduledThreadPoolExecutor timer;

  private ReadyAnnouncer(String baseUrl, ScheduledThreadPoolExecutor timer) {
    this.baseUrl = baseUrl;
    this.timer = timer;
  }

  /** Starts to watch, if it is configured where clients reach this server. */
  static @Nullable ReadyAnnouncer start(Settings settings, Threads threads) {
    Optional<String> url = settings.http().baseUrl();
    if (url.isEmpty()) {
      return null;
    }
    ReadyAnnouncer announcer =
        new ReadyAnnouncer(url.orElseThrow().replaceAll("/+$", ""), threads.timer("ready"));
    announcer.timer.scheduleWithFixedDelay(
        announcer::check, RETRY_MILLIS, RETRY_MILLIS, TimeUnit.MILLISECONDS);
    return announcer;
  }

  private void check() {
    try {
      HttpURLConnection connection =
          (HttpURLConnection) URI.create(baseUrl + "/health").toURL().openConnection();
      connection.setConnectTimeout(TIMEOUT_MILLIS);
      connection.setReadTimeout(TIMEOUT_MILLIS);
      int status = connection.getResponseCode();
      connection.disconnect();
      if (status == HttpURLConnection.HTTP_OK) {
        LOG.log(
            System.Logger.Level.INFO,
            "Runstone is ready: MCP {0}/mcp, REST {0}/execute, health {0}/health",
            baseUrl);
        timer.shutdown();
      } else if (status == HttpURLConnection.HTTP_UNAVAILABLE) {
        LOG.log(
            System.Logger.Level.ERROR,
            "Runstone answers but can run no code: see {0}/health for the cure",
            baseUrl);
        timer.shutdown();
      }
    } catch (IOException e) {
      LOG.log(System.Logger.Level.DEBUG, "not ready yet");
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
