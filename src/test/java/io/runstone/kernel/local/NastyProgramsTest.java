package io.runstone.kernel.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.runstone.concurrent.Threads;
import io.runstone.config.TestSettings;
import io.runstone.kernel.EngineStatus;
import io.runstone.kernel.ExecuteRequest;
import io.runstone.kernel.ExecutionId;
import io.runstone.kernel.ExecutionResult;
import io.runstone.kernel.ExecutionText;
import io.runstone.kernel.Kernel;
import io.runstone.kernel.KernelEngine;
import io.runstone.kernel.OutputListener;
import io.runstone.kernel.StreamFile;
import io.runstone.sandbox.SandboxHost;
import io.runstone.security.UserId;
import io.runstone.testing.Requirements;
import io.runstone.workspace.Workspaces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs every row of {@code docs/reference/execution.md}, twice in one session, on both levels. */
class NastyProgramsTest {

  @Test
  void theTableIsLong() throws IOException {
    assertThat(NastyPrograms.read()).hasSizeGreaterThanOrEqualTo(60);
  }

  /** All rows in one kernel, so that what one leaves behind is felt by the next. */
  @TestInstance(Lifecycle.PER_CLASS)
  abstract static class AtLevel {
    private static final Duration SHORT = Duration.ofMillis(500);
    private static final Duration LONG = Duration.ofSeconds(30);

    private final String level;
    private final String shell;
    private KernelEngine engine;
    private Kernel kernel;
    private int counter;

    AtLevel(String level, String shell) {
      this.level = level;
      this.shell = shell;
    }

    @BeforeAll
    void start(@TempDir Path data) throws Exception {
      TestSettings settings =
          new TestSettings(data)
              .with("runstone.sandbox", level)
              .with("runstone.kernel.shell", shell)
              .with("runstone.execution.interrupt-grace", "PT1S")
              .with("runstone.outputs.max-chars", "20000000")
              .with("runstone.outputs.max-rich-chars", "8000000")
              .with("runstone.kernel.tmp-bytes", "1048576")
              .with("runstone.kernel.file-bytes", "2000000")
              .with("runstone.kernel.processes", "64")
              .with("runstone.kernel.open-files", "256");
      engine = LocalKernels.open(settings.read(), new Threads(Thread::new));
      EngineStatus status = engine.status();
      Requirements.need(
          level, status.available() ? Optional.empty() : Optional.of(status.detail()));
      SandboxHost host = SandboxHost.of("", 60_800, 60_800, data);
      Path workspace = new Workspaces(data, host).directory(new UserId("somebody"));
      kernel = launch(workspace);
    }

    private Kernel launch(Path workspace) throws Exception {
      try {
        return engine.launch(workspace).toCompletableFuture().get(30, TimeUnit.SECONDS);
      } catch (ExecutionException e) {
        boolean missing = String.valueOf(e.getMessage()).contains("No module named 'IPython'");
        Requirements.need(
            "ipython", missing ? Optional.of("the interpreter has none") : Optional.empty());
        throw e;
      }
    }

    @AfterAll
    void stop() {
      engine.close();
    }

    List<NastyPrograms.Row> rows() throws IOException {
      return NastyPrograms.read();
    }

    @ParameterizedTest
    @MethodSource("rows")
    void isReportedAsItIs(NastyPrograms.Row row) throws Exception {
      check(row);
      check(row);
    }

    private void check(NastyPrograms.Row row) throws Exception {
      String mark = "kept_" + ++counter;
      run(mark + " = 1", LONG);
      boolean stops = row.kind().equals("hang");
      ExecutionResult result = run(row.code(), stops ? SHORT : LONG);
      String text = ExecutionText.whole(result);
      String shown = text.substring(0, Math.min(2000, text.length()));
      assertThat(result.outcome().status()).as(shown).isEqualTo(row.status());
      assertThat(result.state().label()).as(shown).isEqualTo(row.state());
      assertThat(text).contains(row.shows());
      ExecutionResult after = run(mark, LONG);
      assertThat(after.error().isEmpty())
          .as("the variable is there: %s", ExecutionText.whole(after))
          .isEqualTo(row.state().equals("preserved"));
      ExecutionResult sum = run("1+1", LONG);
      assertThat(ExecutionText.whole(sum)).isEqualTo("2\n");
    }

    private ExecutionResult run(String code, Duration timeout) throws Exception {
      ExecutionResult result =
          kernel.execute(
              new ExecuteRequest(ExecutionId.random(), code, timeout), OutputListener.NONE);
      for (StreamFile file : result.files()) {
        Files.delete(file.path());
      }
      return result;
    }
  }

  @Nested
  class Bubblewrap extends AtLevel {
    Bubblewrap() {
      super("bubblewrap", "python");
    }
  }

  @Nested
  class Namespaces extends AtLevel {
    Namespaces() {
      super("namespaces", "python");
    }
  }

  /** The rows where it matters which shell runs the code. */
  @Nested
  class IPython extends AtLevel {
    /** IPython shows the traceback of a failing repr, and goes on. */
    private static final String OWN = "RecursionError";

    private static final Set<String> KINDS = Set.of("exit", "error", "hang", "stream");

    IPython() {
      super("namespaces", "ipython");
    }

    @Override
    List<NastyPrograms.Row> rows() throws IOException {
      return super.rows().stream()
          .filter(row -> KINDS.contains(row.kind()))
          .filter(row -> !OWN.equals(row.shows()))
          .toList();
    }
  }
}
