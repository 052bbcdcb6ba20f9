package io.runstone.kernel.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.runstone.concurrent.Threads;
import io.runstone.config.TestSettings;
import io.runstone.kernel.EngineStatus;
import io.runstone.kernel.ExecuteRequest;
import io.runstone.kernel.ExecutionId;
import io.runstone.kernel.ExecutionResult;
import io.runstone.kernel.Kernel;
import io.runstone.kernel.KernelEngine;
import io.runstone.kernel.KernelOutputContract;
import io.runstone.kernel.Outcome;
import io.runstone.kernel.OutputListener;
import io.runstone.kernel.SessionState;
import io.runstone.kernel.StreamName;
import io.runstone.sandbox.SandboxHost;
import io.runstone.security.UserId;
import io.runstone.testing.Requirements;
import io.runstone.workspace.Workspaces;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** The contract of kernels, on every sandbox level that this machine has. */
class LocalKernelEngineTest {

  /** The contract at one level; the engine is made once, as in a server. */
  @TestInstance(Lifecycle.PER_CLASS)
  abstract static class AtLevel extends KernelOutputContract {
    private final String level;
    private Path data;
    private KernelEngine engine;
    private Path workspace;

    private final String shell;

    AtLevel(String level) {
      this(level, "python");
    }

    AtLevel(String level, String shell) {
      this.level = level;
      this.shell = shell;
    }

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
      data = directory; // which others have to be able to enter where there is no sandbox
      Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwx--x--x"));
      engine = LocalKernels.open(settings().read(), new Threads(Thread::new));
      EngineStatus status = engine.status();
      Requirements.need(
          level, status.available() ? Optional.empty() : Optional.of(status.detail()));
      assertThat(status.sandbox()).isEqualTo(level);
      SandboxHost host = SandboxHost.of("", 60_800, 60_800, data);
      workspace = new Workspaces(data, host).directory(new UserId("somebody"));
    }

    private TestSettings settings() {
      return new TestSettings(data)
          .with("runstone.sandbox", level)
          .with("runstone.kernel.shell", shell)
          .with("runstone.kernel.preload", "colorsys, no_such_module")
          .with("runstone.kernel.memory-bytes", "268435456")
          .with("runstone.outputs.max-chars", "40000000")
          .with("runstone.outputs.max-file-bytes", "10000000");
    }

    @AfterAll
    void stop() throws Exception {
      engine.close();
      try (var left = Files.list(data.resolve("run"))) {
        assertThat(left).isEmpty();
      }
    }

    @Override
    protected Kernel launch() throws Exception {
      Files.deleteIfExists(workspace.resolve("go"));
      return engine.launch(workspace).toCompletableFuture().get(30, TimeUnit.SECONDS);
    }

    @Override
    protected void release() throws Exception {
      Files.createFile(workspace.resolve("go"));
    }

    @Test
    void aKernelThatUsesTooMuchMemoryIsToldWhichLimitItHit() throws Exception {
      String limits = engine.status().limits();
      Requirements.need(
          "cgroup",
          limits.startsWith("cgroup") ? Optional.empty() : Optional.of(engine.status().detail()));
      ExecutionResult result = run("kept = bytearray(10**9)");
      assertThat(result.outcome())
          .isInstanceOfSatisfying(
              Outcome.KernelDied.class,
              died -> assertThat(died.reason()).contains("runstone.kernel.memory-bytes"));
      assertThat(result.state()).isEqualTo(SessionState.LOST);
      assertThat(shown("1 + 1")).isEqualTo("2\n");
    }

    @Test
    void withoutControlGroupsTheMemoryOfAllProcessesTogetherIsWatched() throws Exception {
      TestSettings settings = settings().with("runstone.sandbox.control-groups", "off");
      String many =
          """
          import os, time
          for i in range(8):
              if os.fork() == 0:
                  own = bytearray(b"x" * (50 << 20))
                  time.sleep(20)
                  os._exit(0)
          print("forked", flush=True)
          time.sleep(20)
          """;
      try (KernelEngine watched = LocalKernels.open(settings.read(), new Threads(Thread::new));
          Kernel one = watched.launch(workspace).toCompletableFuture().get(30, TimeUnit.SECONDS)) {
        assertThat(watched.status().limits()).isEqualTo("rlimits only");
        ExecutionResult result =
            one.execute(
                new ExecuteRequest(ExecutionId.random(), many, Duration.ofSeconds(15)),
                OutputListener.NONE);
        assertThat(result.outcome())
            .isInstanceOfSatisfying(
                Outcome.KernelDied.class,
                died -> assertThat(died.reason()).contains("runstone.kernel.memory-bytes"));
        assertThat(result.stream(StreamName.STDOUT)).isEqualTo("forked\n");
        assertThat(result.executionTime()).isLessThan(Duration.ofSeconds(10));
      }
    }

    @Test
    void theLargestEndsWhenAUsersKernelsTogetherUseTooMuch() throws Exception {
      TestSettings settings = settings().with("runstone.quota.memory-bytes", "209715200");
      try (KernelEngine watched = LocalKernels.open(settings.read(), new Threads(Thread::new));
          Kernel small = watched.launch(workspace).toCompletableFuture().get(30, TimeUnit.SECONDS);
          Kernel large =
              watched.launch(workspace).toCompletableFuture().get(30, TimeUnit.SECONDS)) {
        assertThat(execute(small, "mine = bytearray(40 << 20)").outcome())
            .isEqualTo(new Outcome.Ok());
        ExecutionResult ended =
            execute(large, "mine = bytearray(180 << 20)\nimport time\ntime.sleep(20)");
        assertThat(ended.outcome())
            .isInstanceOfSatisfying(
                Outcome.KernelDied.class,
                died -> assertThat(died.reason()).contains("runstone.quota.memory-bytes"));
        assertThat(ended.executionTime()).isLessThan(Duration.ofSeconds(10));
        assertThat(execute(small, "len(mine)").state()).isEqualTo(SessionState.PRESERVED);
      }
    }

    private static ExecutionResult execute(Kernel kernel, String code) throws Exception {
      return kernel.execute(
          new ExecuteRequest(ExecutionId.random(), code, Duration.ofSeconds(30)),
          OutputListener.NONE);
    }

    @Test
    void whatIsToBePreloadedIsThere() throws Exception {
      assertThat(shown("import sys\n'colorsys' in sys.modules")).isEqualTo("True\n");
    }

    @Test
    void aClosedKernelEndsWithAllItStarted() throws Exception {
      run(
          "import subprocess\n"
              + "subprocess.Popen(['sh', '-c', 'setsid sleep 300 & sleep 300'],"
              + " start_new_session=True)");
      long pid = kernel.info().pid();
      kernel.close();
      kernel.onExit().toCompletableFuture().get(5, TimeUnit.SECONDS);
      assertThat(ProcessHandle.of(pid)).isEmpty();
    }
  }

  @Nested
  class Bubblewrap extends AtLevel {
    Bubblewrap() {
      super("bubblewrap");
    }
  }

  @Nested
  class Namespaces extends AtLevel {
    Namespaces() {
      super("namespaces");
    }
  }

  @Nested
  class None extends AtLevel {
    None() {
      super("none");
    }
  }

  /** IPython's shell, where the interpreter has it: the same contract, and what only it can. */
  @Nested
  class IPython extends AtLevel {
    IPython() {
      super("namespaces", "ipython");
    }

    @Override
    protected Kernel launch() throws Exception {
      try {
        return super.launch();
      } catch (ExecutionException e) {
        String reason = String.valueOf(e.getMessage());
        boolean missing = reason.contains("No module named 'IPython'");
        Requirements.need("ipython", missing ? Optional.of(reason) : Optional.empty());
        throw e;
      }
    }

    @Test
    void magicsAndCommandsWork() throws Exception {
      assertThat(shown("!echo from the shell")).isEqualTo("from the shell\n");
      assertThat(shown("%env HOME")).contains("/home/runstone");
      assertThat(shown("x = !echo one\nx[0]")).isEqualTo("'one'\n");
    }
  }
}
