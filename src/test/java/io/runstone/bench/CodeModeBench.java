package io.runstone.bench;

import io.runstone.concurrent.Threads;
import io.runstone.config.Settings;
import io.runstone.config.TestSettings;
import io.runstone.kernel.ExecutionResult;
import io.runstone.kernel.ExecutionText;
import io.runstone.kernel.KernelEngine;
import io.runstone.kernel.OutputListener;
import io.runstone.kernel.local.LocalKernels;
import io.runstone.sandbox.SandboxHost;
import io.runstone.security.Requester;
import io.runstone.security.UserId;
import io.runstone.security.audit.AuditLog;
import io.runstone.session.ExecutionOrder;
import io.runstone.session.ExecutionTarget;
import io.runstone.session.SessionId;
import io.runstone.session.SessionManagers;
import io.runstone.upstream.FakeUpstreams;
import io.runstone.upstream.code.CodeCalls;
import io.runstone.workspace.Workspaces;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Measures what a call from Python costs without any network: the way through the sandbox and back,
 * with upstream servers that answer at once. Prints milliseconds as Python sees them.
 */
public final class CodeModeBench {
  private static final String TOOL =
      "{\"name\":\"echo\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"text\":{\"type\":\"string\"}}}}";

  private static final String CODE =
      """
      import asyncio, time, upstream
      def show(what, times):
          times.sort()
          print('| %s | %d | %.2f | %.2f | %.2f |' % (what, len(times), 1000 * times[0],
                1000 * times[len(times) // 2], 1000 * times[len(times) * 99 // 100]))
      def measure(count):
          times = []
          for i in range(count):
              start = time.perf_counter()
              upstream.crm.echo(text='x')
              times.append(time.perf_counter() - start)
          return times
      measure(300)
      show('call from Python, no network', measure(1000))
      async def fifty():
          start = time.perf_counter()
          await asyncio.gather(*(upstream.aio.crm.echo(text='x') for i in range(50)))
          return time.perf_counter() - start
      show('50 calls at the same time', [await fifty() for i in range(40)])
      """;

  private CodeModeBench() {}

  /** Takes no arguments. */
  public static void main(String[] args) throws Exception {
    PrintStream out = System.out;
    Path data = Files.createTempDirectory("runstone-code-bench");
    data.toFile().setExecutable(true, false);
    Settings settings = new TestSettings(data).read();
    FakeUpstreams upstreams = new FakeUpstreams().server("crm", "CRM", "", "").tool("crm", TOOL);
    upstreams.answering(
        (caller, call) ->
            FakeUpstreams.answer("{\"content\":[{\"type\":\"text\",\"text\":\"x\"}]}"));
    Threads threads = new Threads(Thread::new);
    KernelEngine engine = LocalKernels.open(settings, threads);
    SandboxHost host = SandboxHost.of("", 60_800, 60_800, data);
    try (SessionManagers.Opened sessions =
        SessionManagers.open(
            settings,
            threads,
            engine,
            new Workspaces(data, host),
            AuditLog.OFF,
            new CodeCalls(upstreams, settings.upstream()))) {
      Requester somebody = Requester.of(new UserId("somebody"));
      SessionId id = new SessionId("bench");
      sessions.manager().start(somebody, Optional.of(id)).toCompletableFuture().get();
      ExecutionResult result =
          sessions
              .manager()
              .execute(
                  somebody,
                  new ExecutionOrder(new ExecutionTarget.Named(id), CODE, Optional.empty()),
                  OutputListener.NONE)
              .toCompletableFuture()
              .get(2, TimeUnit.MINUTES);
      out.println("| what | runs | min ms | p50 ms | p99 ms |\n|---|---|---|---|---|");
      out.println(ExecutionText.whole(result));
    }
    threads.close();
  }
}
