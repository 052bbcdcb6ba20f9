package io.runstone.soak;

import io.runstone.concurrent.Threads;
import io.runstone.config.Settings;
import io.runstone.config.TestSettings;
import io.runstone.kernel.ExecutionResult;
import io.runstone.kernel.KernelEngine;
import io.runstone.kernel.Outcome;
import io.runstone.kernel.OutputListener;
import io.runstone.kernel.StreamName;
import io.runstone.kernel.local.LocalKernels;
import io.runstone.sandbox.SandboxHost;
import io.runstone.security.Requester;
import io.runstone.security.UserId;
import io.runstone.session.ExecutionOrder;
import io.runstone.session.ExecutionTarget;
import io.runstone.session.SessionId;
import io.runstone.session.SessionManagers;
import io.runstone.workspace.Workspaces;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * Runs thousands of executions, each of which appends its number to a file, while processes of
 * their kernels are killed at random, and compares the file with the results. {@code mvn -Psoak
 * verify} runs it; it fails when code ran twice, a result lied, or something is left behind.
 */
public final class Soak {
  private static final int SESSIONS = 4;
  private static final UserId USER = new UserId("soak");

  private final SessionManagers.Opened manager;
  private final Path workspace;
  private final PrintStream out;
  private final Random random;
  private final Map<Integer, ExecutionResult> results = new HashMap<>();
  private int kills;

  private Soak(SessionManagers.Opened manager, Path workspace, PrintStream out, long seed) {
    this.manager = manager;
    this.workspace = workspace;
    this.out = out;
    this.random = new Random(seed);
  }

  /** Takes the number of executions and of kills. */
  public static void main(String[] args) throws Exception {
    int executions = Integer.parseInt(args[0]);
    int kills = Integer.parseInt(args[1]);
    long seed = System.nanoTime();
    PrintStream out = System.out;
    out.println("seed " + seed);
    Path data = Files.createTempDirectory("runstone-soak");
    data.toFile().setExecutable(true, false);
    Settings settings = new TestSettings(data).with("runstone.kernel.warm-total", "4").read();
    Threads threads = new Threads(Thread::new);
    KernelEngine engine = LocalKernels.open(settings, threads);
    Workspaces workspaces = new Workspaces(data, SandboxHost.of("", 60_800, 60_800, data));
    boolean right;
    try (SessionManagers.Opened manager =
        SessionManagers.open(settings, threads, engine, workspaces)) {
      Soak soak = new Soak(manager, workspaces.directory(USER), out, seed);
      right = soak.run(executions, kills);
    }
    threads.close();
    long left = ProcessHandle.current().descendants().filter(ProcessHandle::isAlive).count();
    out.println("processes left: " + left);
    if (!right || left > 0) {
      throw new AssertionError("the soak failed");
    }
  }

  private boolean run(int executions, int wantedKills) throws Exception {
    for (int s = 0; s < SESSIONS; s++) {
      manager
          .manager()
          .start(Requester.of(USER), Optional.of(id(s)))
          .toCompletableFuture()
          .get(30, TimeUnit.SECONDS);
    }
    round(0, executions / 20, 0); // warms up before the first look
    Usage before = Usage.now();
    round(executions / 20, executions, wantedKills);
    Usage after = Usage.now();
    out.println("before: " + before);
    out.println("after:  " + after);
    boolean flat =
        after.threads() <= before.threads() + 4
            && after.descriptors() <= before.descriptors() + 16
            && after.heapMegabytes() <= before.heapMegabytes() + 16;
    return agrees(executions) && flat;
  }

  private static SessionId id(int session) {
    return new SessionId("s" + session);
  }

  private void round(int from, int to, int wantedKills) throws Exception {
    int every = wantedKills == 0 ? Integer.MAX_VALUE : Math.max(1, (to - from) / wantedKills);
    for (int i = from; i < to; i += SESSIONS) {
      List<CompletionStage<ExecutionResult>> running = new ArrayList<>();
      for (int s = 0; s < SESSIONS && i + s < to; s++) {
        running.add(execute(i + s, s));
      }
      if ((i - from) / every > kills) {
        kill();
      }
      for (int s = 0; s < running.size(); s++) {
        CompletableFuture<ExecutionResult> result = running.get(s).toCompletableFuture();
        results.put(i + s, result.get(60, TimeUnit.SECONDS));
      }
    }
  }

  private CompletionStage<ExecutionResult> execute(int number, int session) {
    String code =
        "with open('/app/uploads/log', 'a') as f: f.write('%d\\n')%nprint(%d)"
            .formatted(number, number);
    ExecutionOrder order =
        new ExecutionOrder(new ExecutionTarget.Named(id(session)), code, Optional.empty());
    return manager.manager().execute(Requester.of(USER), order, OutputListener.NONE);
  }

  /** Kills one of the processes of a random session: sandbox, supervisor or worker. */
  private void kill() {
    kills++;
    List<Long> pids =
        manager.manager().all().stream().flatMap(info -> info.pid().stream()).toList();
    if (pids.isEmpty()) {
      return;
    }
    ProcessHandle.of(pids.get(random.nextInt(pids.size())))
        .ifPresent(
            outer -> {
              List<ProcessHandle> all = new ArrayList<>(List.of(outer));
              outer.descendants().forEach(all::add);
              all.get(random.nextInt(all.size())).destroyForcibly();
            });
  }

  private boolean agrees(int executions) throws IOException {
    Map<Integer, Integer> written = new HashMap<>();
    for (String line : Files.readAllLines(workspace.resolve("log"))) {
      written.merge(Integer.parseInt(line), 1, Integer::sum);
    }
    Map<String, Integer> outcomes = new HashMap<>();
    int wrong = 0;
    for (int i = 0; i < executions; i++) {
      ExecutionResult result = results.get(i);
      int times = written.getOrDefault(i, 0);
      if (result == null || !isRight(i, result, times)) {
        wrong++;
        out.println("wrong: " + i + " written " + times + " times, " + result);
      } else {
        outcomes.merge(result.outcome().status(), 1, Integer::sum);
      }
    }
    out.println(executions + " executions, " + kills + " kills, " + wrong + " wrong; " + outcomes);
    return wrong == 0;
  }

  private static boolean isRight(int number, ExecutionResult result, int times) {
    if (result.outcome() instanceof Outcome.Ok) {
      return times == 1 && result.stream(StreamName.STDOUT).equals(number + "\n");
    } else if (result.outcome() instanceof Outcome.KernelDied died) {
      return died.started() ? times <= 1 : times == 0;
    }
    return false;
  }
}
