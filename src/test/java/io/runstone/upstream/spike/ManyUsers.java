package io.runstone.upstream.spike;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;

/**
 * Users and servers without number, all at once: {@code ManyUsers [USERS SERVERS CALLS]}. Every
 * server checks that each call came with the token of the user whose it is, in a session that this
 * user opened; every answer has to be the caller's own.
 */
public final class ManyUsers {
  private static final int IN_FLIGHT = 200;

  private ManyUsers() {}

  /** What came of a run. */
  record Outcome(long calls, long wrongAtServers, long wrongAnswers, long failures, int sessions) {}

  /** Runs it and prints what came of it. */
  public static void main(String[] args) throws Exception {
    int users = args.length > 0 ? Integer.parseInt(args[0]) : 100;
    int servers = args.length > 1 ? Integer.parseInt(args[1]) : 10;
    int calls = args.length > 2 ? Integer.parseInt(args[2]) : 100_000;
    long started = System.nanoTime();
    Outcome outcome = run(users, servers, calls);
    System.out.printf(
        "%d users, %d servers: %s in %.1f s%n",
        users, servers, outcome, (System.nanoTime() - started) / 1e9);
    if (outcome.calls != calls || outcome.wrongAtServers + outcome.wrongAnswers > 0) {
      throw new AssertionError("users were not kept apart");
    }
  }

  static Outcome run(int users, int servers, int calls) throws Exception {
    List<CountingServer> upstream = new ArrayList<>();
    for (int i = 0; i < servers; i++) {
      upstream.add(new CountingServer());
    }
    LongAdder wrong = new LongAdder();
    LongAdder failures = new LongAdder();
    Random random = new Random(1);
    Semaphore inFlight = new Semaphore(IN_FLIGHT);
    try (Pool pool =
        new Pool(upstream.stream().map(CountingServer::url).toList(), users * servers)) {
      for (int i = 0; i < calls; i++) {
        String user = "user" + random.nextInt(users);
        inFlight.acquire();
        pool.call(user, "session", random.nextInt(servers), "count", Map.of("user", user))
            .whenComplete(
                (text, failure) -> {
                  inFlight.release();
                  if (failure != null) {
                    failures.increment();
                  } else if (!text.startsWith(user + " ")) {
                    wrong.increment();
                  }
                });
      }
      inFlight.acquire(IN_FLIGHT);
      return new Outcome(
          upstream.stream().mapToLong(server -> server.calls.sum()).sum(),
          upstream.stream().mapToLong(server -> server.wrong.sum()).sum(),
          wrong.sum(),
          failures.sum(),
          pool.size());
    } finally {
      upstream.forEach(CountingServer::close);
    }
  }
}
