package io.runstone.bench;

import io.runstone.testing.Directories;
import io.runstone.testing.Http;
import io.runstone.testing.McpClient;
import io.runstone.upstream.spike.BrokerBench;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Measures a server as its users see it, and prints tables in Markdown. Nothing fails because it is
 * slow. {@code mvn -Pbench verify} runs it.
 */
public final class Benchmark {
  private static final int WARM_UP = 2000;
  private static final int CALLS = 3000;
  private static final int STARTS = 60;
  private static final int SESSIONS = 8;

  /** What the pool of ready kernels needs to be full again. */
  private static final int REFILL_MILLIS = 250;

  private final ServerProcess server;
  private final Http http;
  private final PrintStream out;

  private Benchmark(ServerProcess server, PrintStream out) {
    this.server = server;
    this.http = server.http();
    this.out = out;
  }

  /** Takes the paths of Payara Micro and of the WAR. */
  public static void main(String[] args) throws Exception {
    PrintStream out = System.out;
    Path data = Files.createTempDirectory("runstone-bench");
    data.toFile().setExecutable(true, false);
    long start = System.nanoTime();
    try (BrokerBench upstream = new BrokerBench();
        ServerProcess server =
            ServerProcess.start(
                Path.of(args[0]),
                Path.of(args[1]),
                data,
                List.of(
                    "runstone.sessions.per-user=16",
                    "runstone.sessions.per-node=32",
                    "runstone.upstream.file=" + upstream.declare(data)))) {
      new Benchmark(server, out).run(start, upstream);
    } finally {
      Directories.delete(data);
    }
  }

  private void run(long started, BrokerBench upstream) throws Exception {
    http.execute("", "print(1)");
    double firstResult = (System.nanoTime() - started) / 1e9;
    out.println();
    out.println(machine());
    out.println();
    out.printf(
        Locale.ROOT, "From the start of the server to the first result: %.1f s.%n", firstResult);
    out.println(http.send("GET", "/health", "").text());
    out.println();
    out.println("| what | runs | min ms | p50 ms | p99 ms |");
    out.println("|---|---|---|---|---|");
    rest();
    mcp();
    starts();
    flood();
    upstream.run(http, out);
    out.println();
    throughput();
    memory();
    out.println();
    new Bombs(http, out).run();
  }

  private static String machine() throws IOException {
    String cpu = "unknown processor";
    try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
      cpu =
          lines
              .filter(line -> line.startsWith("model name"))
              .map(line -> line.substring(line.indexOf(':') + 1).strip())
              .findFirst()
              .orElse(cpu);
    }
    return "Machine: "
        + cpu
        + ", "
        + Runtime.getRuntime().availableProcessors()
        + " cores, Linux "
        + System.getProperty("os.version")
        + ", JDK "
        + System.getProperty("java.version")
        + ".";
  }

  private void rest() throws Exception {
    http.start("rest");
    for (int i = 0; i < WARM_UP; i++) {
      http.execute("rest", "print(1)");
    }
    Samples samples = new Samples("`print(1)` over REST", CALLS);
    for (int i = 0; i < CALLS; i++) {
      samples.measure(() -> http.execute("rest", "print(1)"));
    }
    out.println(samples.row());
    http.stopAll();
  }

  private void mcp() throws Exception {
    McpClient client = McpClient.open(http);
    http.start("mcp");
    for (int i = 0; i < WARM_UP; i++) {
      client.execute("mcp", "print(1)");
    }
    Samples samples = new Samples("`print(1)` over MCP", CALLS);
    for (int i = 0; i < CALLS; i++) {
      samples.measure(() -> client.execute("mcp", "print(1)"));
    }
    out.println(samples.row());
    client.delete();
    http.stopAll();
  }

  private void starts() throws Exception {
    Samples warm = new Samples("start of a session, a kernel is ready", STARTS);
    for (int i = 0; i < STARTS; i++) {
      TimeUnit.MILLISECONDS.sleep(REFILL_MILLIS);
      warm.measure(() -> http.start("s"));
      http.send("DELETE", "/v1/sessions/session?session_id=s", "");
    }
    out.println(warm.row());
    Samples starts = new Samples("start of a session, one right after the other", STARTS);
    Samples stops = new Samples("stop of a session", STARTS);
    for (int i = 0; i < STARTS; i++) {
      starts.measure(() -> http.start("s"));
      stops.measure(() -> http.send("DELETE", "/v1/sessions/session?session_id=s", ""));
    }
    out.println(starts.row());
    out.println(stops.row());
    Samples once = new Samples("`print(1)` in a clean kernel", STARTS);
    for (int i = 0; i < STARTS; i++) {
      once.measure(() -> http.execute("", "print(1)"));
    }
    out.println(once.row());
  }

  private void flood() throws Exception {
    http.start("flood");
    Samples samples = new Samples("10 MB of stdout over REST", 10);
    for (int i = 0; i < 10; i++) {
      samples.measure(() -> http.execute("flood", "for i in range(100): print('x' * 99_999)"));
    }
    out.println(samples.row());
    http.stopAll();
  }

  private void throughput() throws Exception {
    for (int i = 0; i < SESSIONS; i++) {
      http.start("t" + i);
    }
    ExecutorService clients = Executors.newFixedThreadPool(SESSIONS);
    long start = System.nanoTime();
    List<CompletableFuture<Void>> all = new ArrayList<>();
    for (int i = 0; i < SESSIONS; i++) {
      String session = "t" + i;
      all.add(CompletableFuture.runAsync(() -> repeat(session), clients));
    }
    all.forEach(CompletableFuture::join);
    double seconds = (System.nanoTime() - start) / 1e9;
    clients.shutdown();
    out.printf(
        Locale.ROOT,
        "%d sessions at once: %.0f executions a second over REST.%n",
        SESSIONS,
        SESSIONS * CALLS / 4 / seconds);
    http.stopAll();
  }

  private void repeat(String session) {
    try {
      for (int i = 0; i < CALLS / 4; i++) {
        http.execute(session, "print(1)");
      }
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void memory() throws Exception {
    double before = server.descendantsMegabytes();
    for (int i = 0; i < 5; i++) {
      http.start("m" + i);
      http.execute("m" + i, "1");
    }
    out.printf(
        Locale.ROOT,
        "Five idle sessions: server %d MB resident; %.1f MB a session (PSS of all its processes).%n",
        server.residentMegabytes(),
        (server.descendantsMegabytes() - before) / 5);
    http.stopAll();
  }
}
