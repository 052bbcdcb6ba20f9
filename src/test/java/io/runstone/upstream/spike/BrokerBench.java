package io.runstone.upstream.spike;

import io.runstone.concurrent.Threads;
import io.runstone.kernel.Cancellation;
import io.runstone.testing.Http;
import io.runstone.upstream.Authorizer;
import io.runstone.upstream.ServerName;
import io.runstone.upstream.UpstreamCall;
import io.runstone.upstream.UpstreamConnection;
import io.runstone.upstream.UpstreamServer;
import io.runstone.upstream.client.ClientSettings;
import io.runstone.upstream.client.HttpUpstreamConnector;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Measures what calls of an upstream server cost from Python, against calls by the client alone: an
 * upstream in this process, for a server to be started with what {@link #declare} writes.
 */
public final class BrokerBench implements AutoCloseable {
  private static final int CALLS = 1000;
  private static final int WARM_UP = 1500;

  private static final String CODE =
      """
      import asyncio, time, upstream
      count = upstream.bench.count
      def measure(calls):
          times = []
          for i in range(calls):
              began = time.perf_counter()
              count(user="bench")
              times.append(time.perf_counter() - began)
          return times
      def row(what, times):
          times.sort()
          n = len(times)
          print("| %s | %d | %.2f | %.2f | %.2f |" % (
              what, n, 1e3 * times[0], 1e3 * times[n // 2], 1e3 * times[n * 99 // 100]))
      async def fifty():
          began = time.perf_counter()
          await asyncio.gather(*(upstream.aio.bench.count(user="bench") for i in range(50)))
          return time.perf_counter() - began
      measure(WARM_UP)
      row("a call of an upstream tool from Python", measure(CALLS))
      row("50 calls from Python at the same time", [await fifty() for i in range(40)])
      """
          .replace("WARM_UP", String.valueOf(WARM_UP))
          .replace("CALLS", String.valueOf(CALLS));

  private final CountingServer server;

  /** Starts the upstream. */
  public BrokerBench() throws IOException {
    this.server = new CountingServer();
  }

  /** Writes the file that declares the upstream, for {@code runstone.upstream.file}. */
  public Path declare(Path directory) throws IOException {
    return Files.writeString(
        directory.resolve("upstream.json"),
        "{\"servers\":{\"bench\":{\"url\":\"" + server.url() + "\"}}}");
  }

  /** Prints rows of a table: name, runs, minimum, median and 99th percentile in milliseconds. */
  public void run(Http http, PrintStream out) throws Exception {
    direct(out);
    http.start("upstream");
    out.print(http.execute("upstream", CODE).getString("stdout"));
    http.stopAll();
  }

  private void direct(PrintStream out) throws Exception {
    Threads threads = new Threads(Thread::new);
    try (HttpUpstreamConnector connector =
        new HttpUpstreamConnector(
            ClientSettings.of("runstone", "bench", 4 << 20), threads, System::nanoTime)) {
      UpstreamConnection connection =
          Spike.get(connector.connect(declared(), Authorizer.NONE, () -> {}));
      double[] millis = new double[CALLS];
      for (int i = -WARM_UP; i < CALLS; i++) {
        long began = System.nanoTime();
        Spike.get(connection.call(call(), Authorizer.NONE));
        if (i >= 0) {
          millis[i] = (System.nanoTime() - began) / 1e6;
        }
      }
      Arrays.sort(millis);
      out.printf(
          Locale.ROOT,
          "| the same call by the client alone | %d | %.2f | %.2f | %.2f |%n",
          CALLS,
          millis[0],
          millis[CALLS / 2],
          millis[CALLS * 99 / 100]);
      Spike.get(connection.close(Authorizer.NONE));
    } finally {
      threads.close();
    }
  }

  private UpstreamServer declared() {
    return new UpstreamServer(
        new ServerName("bench"),
        server.url(),
        "bench",
        "",
        new UpstreamServer.Login.None(),
        false,
        UpstreamServer.ToolFilter.ALL,
        Duration.ofSeconds(10),
        Optional.empty());
  }

  private static UpstreamCall call() {
    return new UpstreamCall(
        new ServerName("bench"),
        "count",
        Map.of("user", "bench"),
        Optional.empty(),
        new Cancellation(),
        progress -> {});
  }

  @Override
  public void close() {
    server.close();
  }
}
