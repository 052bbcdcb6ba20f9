package io.runstone.upstream.spike;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The three scenarios of the wire contract with the pool as the client: {@code Spike NAME URL
 * [SESSIONS…]}. The server at the URL has a tool {@code echo(payload)}, which waits 50 ms, and one
 * {@code seen_authorization()}. Prints fields and a verdict for each; fails if one is not met.
 */
public final class Spike {
  private static final int MAX_GROWTH = 30;
  private static final int USERS = 5;
  private static final int PAYLOAD = 10_000;
  private static final int SETTLE_SECONDS = 75;

  private final String name;
  private final URI url;
  private boolean failed;

  private Spike(String name, URI url) {
    this.name = name;
    this.url = url;
  }

  /** Runs the scenarios. */
  public static void main(String[] args) throws Exception {
    Spike spike = new Spike(args[0], URI.create(args[1]));
    List<Integer> sizes = Stream.of(args).skip(2).map(Integer::valueOf).toList();
    spike.manySessions(2); // so that classes are loaded, and threads of the JDK are there
    for (int sessions : sizes.isEmpty() ? List.of(20) : sizes) {
      spike.manySessions(sessions);
    }
    spike.oneSessionTwoCalls();
    spike.manyIdentities();
    if (spike.failed) {
      throw new AssertionError("a scenario was not met");
    }
  }

  /** Many sessions with one server at once: all see the same tools, and everything settles. */
  private void manySessions(int count) throws Exception {
    long filesBefore = files();
    int threadsBefore = threads();
    long started = System.nanoTime();
    int succeeded = 0;
    Set<String> catalogs = new TreeSet<>();
    List<String> failures = new ArrayList<>();
    long filesPeak;
    int threadsPeak;
    int sessions;
    double seconds;
    try (Pool pool = new Pool(List.of(url), count)) {
      List<CompletionStage<String>> lists = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        lists.add(
            pool.tools("user" + i, "session")
                .thenApply(tools -> tools.stream().map(tool -> tool.name()).sorted().toList())
                .thenApply(List::toString));
      }
      for (CompletionStage<String> list : lists) {
        try {
          catalogs.add(get(list));
          succeeded++;
        } catch (Exception e) {
          failures.add(String.valueOf(e.getMessage()));
        }
      }
      seconds = seconds(started);
      filesPeak = files();
      threadsPeak = threads();
      sessions = pool.size();
    }
    long settled = System.nanoTime();
    while ((files() - filesBefore >= MAX_GROWTH || threads() - threadsBefore > 2)
        && seconds(settled) < SETTLE_SECONDS) {
      System.gc(); // the JDK's HttpClient ends its selector's thread when nobody refers to it
      Thread.sleep(250);
    }
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("n", count);
    fields.put("successes", succeeded);
    fields.put("failures", failures.size());
    fields.put("elapsed_seconds", seconds);
    fields.put("sessions_in_the_pool", sessions);
    fields.put("fd_before", filesBefore);
    fields.put("fd_during_peak", filesPeak);
    fields.put("fd_settled", files());
    fields.put("fd_growth_settled", files() - filesBefore);
    fields.put("threads_before", threadsBefore);
    fields.put("threads_during_peak", threadsPeak);
    fields.put("threads_settled", threads());
    fields.put("catalog_consistent", catalogs.size() == 1);
    fields.put("first_failure", failures.isEmpty() ? "none" : failures.get(0));
    verdict(
        "concurrent_sessions",
        fields,
        succeeded == count
            && catalogs.size() == 1
            && files() - filesBefore < MAX_GROWTH
            && threads() - threadsBefore <= 2);
  }

  /** Two calls at once on one session: each answer reaches its own call. */
  private void oneSessionTwoCalls() throws Exception {
    try (Pool pool = new Pool(List.of(url), 10)) {
      get(pool.tools("anna", "shared"));
      String a = "A".repeat(PAYLOAD);
      String b = "B".repeat(PAYLOAD);
      long started = System.nanoTime();
      CompletionStage<String> first = echo(pool, a);
      CompletionStage<String> second = echo(pool, b);
      boolean own = get(first).equals("echoed:" + a) && get(second).equals("echoed:" + b);
      double seconds = seconds(started);
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("sessions_in_the_pool", pool.size());
      fields.put("elapsed_seconds", seconds);
      fields.put("demux_ok", own);
      fields.put("appears_concurrent_on_wire", seconds < 0.09);
      verdict("concurrent_calls_shared_session", fields, own && pool.size() == 1);
    }
  }

  private static CompletionStage<String> echo(Pool pool, String payload) {
    return pool.call("anna", "shared", 0, "echo", Map.of("payload", payload));
  }

  /** Users with tokens of their own: the server sees each user's, on every call. */
  private void manyIdentities() throws Exception {
    try (Pool pool = new Pool(List.of(url), 100)) {
      long started = System.nanoTime();
      List<CompletionStage<Boolean>> seen = new ArrayList<>();
      for (int call = 0; call < 4; call++) {
        for (int i = 0; i < USERS; i++) {
          String user = "user" + i;
          seen.add(
              pool.call(user, "session", 0, "seen_authorization", Map.of())
                  .thenApply(header -> header.equals(Pool.token(user))));
        }
      }
      int right = 0;
      for (CompletionStage<Boolean> each : seen) {
        right += get(each) ? 1 : 0;
      }
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("n", USERS);
      fields.put("elapsed_seconds", seconds(started));
      fields.put("total_requests_observed", seen.size());
      fields.put("own_token_observed", right);
      fields.put("all_expected_present", right == seen.size());
      verdict("header_isolation", fields, right == seen.size());
    }
  }

  private void verdict(String scenario, Map<String, Object> fields, boolean met) {
    failed |= !met;
    System.out.println("=== " + name + ": " + scenario + ": " + (met ? "PASS" : "FAIL"));
    fields.forEach((field, value) -> System.out.println("  " + field + ": " + value));
  }

  private static double seconds(long since) {
    return Math.round((System.nanoTime() - since) / 1e6) / 1000.0;
  }

  static long files() throws IOException {
    try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
      return open.count();
    }
  }

  static int threads() {
    return Thread.getAllStackTraces().size();
  }

  static <T> T get(CompletionStage<T> stage) throws Exception {
    CompletableFuture<T> future = stage.toCompletableFuture();
    return future.get(120, TimeUnit.SECONDS);
  }
}
