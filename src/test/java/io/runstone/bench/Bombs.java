package io.runstone.bench;

import io.runstone.testing.Http;
import jakarta.json.JsonObject;
import java.io.IOException;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What a program that uses up one resource does to another session: the times of {@code print(1)}
 * in a quiet server and while each bomb goes off beside it, and how the bomb's result names itself.
 */
final class Bombs {
  private static final int CALLS = 1000;
  private static final int SECONDS = 20;

  private static final Map<String, String> PROGRAMS = new LinkedHashMap<>();

  static {
    PROGRAMS.put(
        "100 processes that spin",
        """
        import os, time
        for i in range(100):
            if os.fork() == 0:
                while True: pass
        time.sleep(60)
        """);
    PROGRAMS.put(
        "fork",
        """
        import os, time
        while True:
            if os.fork() == 0: time.sleep(60)
        """);
    PROGRAMS.put("memory", "kept = [bytearray(b'x' * (1 << 26)) for i in range(10**6)]");
    PROGRAMS.put(
        "files in /tmp",
        "n = 0\nwhile True:\n    n += 1\n    open(f'/tmp/{n}', 'wb').write(b'x' * (1 << 22))");
    PROGRAMS.put(
        "one large file",
        "with open('/app/uploads/big', 'wb') as f:\n    while True: f.write(b'x' * (1 << 22))");
    PROGRAMS.put("file descriptors", "kept = []\nwhile True: kept.append(open('/dev/null'))");
    PROGRAMS.put("recursion", "def f(): return f()\nf()");
    PROGRAMS.put("flood of output", "while True: print('x' * 10_000)");
  }

  private final Http http;
  private final PrintStream out;

  Bombs(Http http, PrintStream out) {
    this.http = http;
    this.out = out;
  }

  void run() throws Exception {
    out.println(
        "| beside the session that is measured | p50 ms | p99 ms | health p99 ms | result |");
    out.println("|---|---|---|---|---|");
    row("nothing", "");
    for (Map.Entry<String, String> bomb : PROGRAMS.entrySet()) {
      row(bomb.getKey(), bomb.getValue());
    }
  }

  private void row(String name, String program) throws Exception {
    http.start("victim");
    http.start("bomber");
    Samples samples = new Samples(name, CALLS);
    Samples health = new Samples("health", CALLS);
    AtomicBoolean over = new AtomicBoolean();
    CompletableFuture<String> first = new CompletableFuture<>();
    CompletableFuture<Void> bomber =
        CompletableFuture.runAsync(() -> detonate(program, over, first));
    TimeUnit.MILLISECONDS.sleep(program.isEmpty() ? 0 : 300);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    for (int i = 0; i < CALLS || (!first.isDone() && System.nanoTime() < deadline); i++) {
      samples.measure(() -> http.execute("victim", "print(1)"));
      if (i % 10 == 0) {
        health.measure(() -> http.send("GET", "/health", ""));
      }
    }
    over.set(true);
    http.send("POST", "/v1/sessions/session/interrupt?session_id=bomber", "");
    bomber.get(SECONDS * 2L, TimeUnit.SECONDS);
    out.printf(
        Locale.ROOT,
        "| %s | %.1f | %.1f | %.1f | %s |%n",
        name,
        samples.percentile(0.5),
        samples.percentile(0.99),
        health.percentile(0.99),
        first.join());
    http.execute("victim", "import os\nif os.path.exists('big'): os.remove('big')");
    http.stopAll();
  }

  /** Again and again until told to stop; the first result speaks for all. */
  private void detonate(String program, AtomicBoolean over, CompletableFuture<String> first) {
    try {
      if (program.isEmpty()) {
        first.complete("");
        return;
      }
      do {
        first.complete(describe(http.execute("bomber", program)));
      } while (!over.get());
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String describe(JsonObject result) {
    String status = result.getString("status");
    String text = result.getString("stderr").strip();
    return status + ": " + text.substring(text.lastIndexOf('\n') + 1);
  }
}
