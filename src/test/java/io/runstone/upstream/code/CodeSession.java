package io.runstone.upstream.code;

import static org.assertj.core.api.Assertions.assertThat;

import io.runstone.concurrent.Threads;
import io.runstone.config.Settings;
import io.runstone.config.TestSettings;
import io.runstone.kernel.EngineStatus;
import io.runstone.kernel.ExecutionResult;
import io.runstone.kernel.ExecutionText;
import io.runstone.kernel.KernelEngine;
import io.runstone.kernel.Outcome;
import io.runstone.kernel.Output;
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
import io.runstone.testing.Requirements;
import io.runstone.upstream.FakeUpstreams;
import io.runstone.workspace.Workspaces;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** A session of a real kernel, with upstream servers that are fake. */
@TestInstance(Lifecycle.PER_CLASS)
abstract class CodeSession {
  static final Requester ANNA = Requester.of(new UserId("anna"));
  static final SessionId SESSION = new SessionId("work");

  final FakeUpstreams upstreams = new FakeUpstreams();
  final List<String> notes = new CopyOnWriteArrayList<>();
  private KernelEngine engine;
  private SessionManagers.Opened sessions;

  @BeforeAll
  void open(@TempDir Path data) throws Exception {
    Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwx--x--x"));
    Settings settings =
        new TestSettings(data)
            .with("runstone.upstream.calls-per-execution", "300")
            .with("runstone.upstream.parallel-calls", "10")
            .read();
    Threads threads = new Threads(Thread::new);
    engine = LocalKernels.open(settings, threads);
    EngineStatus status = engine.status();
    Requirements.need(
        "sandbox", status.available() ? Optional.empty() : Optional.of(status.detail()));
    SandboxHost host = SandboxHost.of("", 60_800, 60_800, data);
    upstreams
        .server("crm", "Customers", "Contacts and deals.", "")
        .server("mail", "Mail", "", "https://runstone.example/connect/mail")
        .tool("crm", TestTools.FIND)
        .tool("crm", TestTools.SEND)
        .tool("crm", TestTools.PICTURE)
        .tool("crm", TestTools.ODD);
    sessions =
        SessionManagers.open(
            settings,
            threads,
            engine,
            new Workspaces(data, host),
            AuditLog.OFF,
            new CodeCalls(upstreams, settings.upstream()));
    get(sessions.manager().start(ANNA, Optional.of(SESSION)));
  }

  @AfterAll
  void close() {
    sessions.close();
    assertThat(upstreams.released).contains(new FakeUpstreams.Released(ANNA.user(), "work"));
  }

  @BeforeEach
  void echo() throws Exception {
    upstreams.called.clear();
    notes.clear();
    upstreams.answering(
        (caller, call) ->
            FakeUpstreams.answer(
                "{\"content\":[{\"type\":\"text\",\"text\":\"said\"}],\"structuredContent\":{\"result\":[\"found\"]}}"));
    run("import upstream, inspect, asyncio, time, threading");
  }

  static <T> T get(CompletionStage<T> stage) throws Exception {
    return stage.toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  CompletionStage<ExecutionResult> execute(
      Requester requester, ExecutionTarget target, String code, Duration timeout) {
    OutputListener listener =
        new OutputListener() {
          @Override
          public void onOutput(Output.Stream output) {}

          @Override
          public void onNote(String note) {
            notes.add(note);
          }
        };
    return sessions
        .manager()
        .execute(requester, new ExecutionOrder(target, code, Optional.of(timeout)), listener);
  }

  ExecutionResult run(String code) throws Exception {
    return get(execute(ANNA, new ExecutionTarget.Named(SESSION), code, Duration.ofSeconds(30)));
  }

  String shown(String code) throws Exception {
    return ExecutionText.whole(run(code));
  }

  String error(String code) throws Exception {
    ExecutionResult result = run(code);
    assertThat(result.outcome()).as(code).isInstanceOf(Outcome.Failed.class);
    assertThat(result.error().orElseThrow().traceback()).doesNotContain("_runstone");
    return result.error().orElseThrow().ename() + ": " + result.error().orElseThrow().evalue();
  }
}
