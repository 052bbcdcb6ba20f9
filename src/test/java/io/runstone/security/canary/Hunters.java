package io.runstone.security.canary;

import io.runstone.testing.Http;
import io.runstone.testing.McpClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** Users who have hostile programs run at the same time, over both surfaces. Thread-safe. */
final class Hunters {
  private static final String SESSION = "hunt";

  /** Everything that came back: status, headers and bodies. */
  final Queue<String> answers = new ConcurrentLinkedQueue<>();

  private final HostilePrograms programs;
  private final AtomicInteger next = new AtomicInteger();

  Hunters(HostilePrograms programs) {
    this.programs = programs;
  }

  /** Runs that many programs and waits for the last one. */
  void run(int count, List<Http> users) throws Exception {
    ExecutorService together = Executors.newFixedThreadPool(users.size() * 2);
    try {
      List<Future<?>> all = new ArrayList<>();
      for (Http user : users) {
        user.start(SESSION);
        McpClient mcp = McpClient.open(user);
        all.add(together.submit(() -> rest(count, user)));
        all.add(together.submit(() -> mcp(count, mcp)));
      }
      for (Future<?> each : all) {
        each.get();
      }
    } finally {
      together.shutdownNow();
    }
  }

  private Void rest(int count, Http user) throws Exception {
    for (int number = next.getAndIncrement(); number < count; number = next.getAndIncrement()) {
      String session = number % 5 == 0 ? "" : SESSION;
      keep(user.send("POST", "/execute", Http.order(session, programs.code(number))));
    }
    return null;
  }

  private Void mcp(int count, McpClient client) throws Exception {
    for (int number = next.getAndIncrement(); number < count; number = next.getAndIncrement()) {
      keep(client.post(McpClient.execution(number + 10, "", programs.code(number))));
    }
    return null;
  }

  private void keep(Http.Answer answer) {
    answers.add(answer.status() + " " + answer.response().headers().map() + "\n" + answer.text());
  }
}
