package io.runstone.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The life of a sandbox, at every level. */
@ParameterizedClass
@EnumSource(SandboxLevel.class)
class SandboxLauncherTest {
  private static final String WAIT = "print('up', flush=True)\nsignal.pause()\n";

  private final Path directory;
  private final Sandboxes sandboxes;

  SandboxLauncherTest(SandboxLevel level, @TempDir Path directory) throws Exception {
    this.directory = directory;
    this.sandboxes = new Sandboxes(directory, level);
  }

  @AfterEach
  void close() {
    sandboxes.close();
  }

  @Test
  void pipesAreTheProgramsOwn() throws Exception {
    try (SandboxProcess process =
        sandboxes.start("os.write(1, os.read(0, 5)); os.write(1, os.read(0, 100))")) {
      process.input().write("helloworld".getBytes(StandardCharsets.UTF_8));
      process.input().flush();
      byte[] answer = process.output().readAllBytes();
      assertThat(new String(answer, StandardCharsets.UTF_8)).isEqualTo("helloworld");
      assertThat(Sandboxes.exit(process)).isZero();
      assertThat(process.isAlive()).isFalse();
    }
  }

  @Test
  void endOfInputReachesTheProgram() throws Exception {
    try (SandboxProcess process = sandboxes.start("sys.exit(len(sys.stdin.buffer.read()))")) {
      process.input().write(new byte[7]);
      process.input().close();
      assertThat(Sandboxes.exit(process)).isEqualTo(7);
    }
  }

  @Test
  void tellsExitCodesAndSignals() throws Exception {
    assertThat(sandboxes.run("sys.exit(3)").exit()).isEqualTo(3);
    assertThat(sandboxes.run("ctypes.string_at(0)").exit()).isEqualTo(128 + 11);
    assertThat(sandboxes.run("os._exit(0)").exit()).isZero();
  }

  @Test
  void diagnosticsAreFromBeforeTheFirstByte() throws Exception {
    Sandboxes.Outcome failed = sandboxes.run("raise RuntimeError('no start')");
    assertThat(failed.exit()).isEqualTo(1);
    assertThat(failed.diagnostics()).contains("no start");
    try (SandboxProcess process =
        sandboxes.start(
            """
            os.write(2, b"early"); os.write(1, b"1"); os.read(0, 1); os.write(2, b"late")
            """)) {
      assertThat(process.output().read()).isEqualTo('1');
      process.input().write(1);
      process.input().flush();
      assertThat(Sandboxes.exit(process)).isZero();
      assertThat(process.diagnostics()).isEqualTo("early");
    }
    assertThat(sandboxes.run("os.write(2, b'x' * 100000)").diagnostics()).hasSize(4096);
  }

  @Test
  void killEndsDetachedProcessesToo() throws Exception {
    String mark = mark();
    try (SandboxProcess process = sandboxes.start(policyWithDetached(mark))) {
      awaitUp(process, mark);
      process.kill();
      assertThat(HostProcesses.within(Duration.ofSeconds(1), () -> gone(mark)))
          .as("%s", HostProcesses.with(mark))
          .isTrue();
      assertThat(Sandboxes.exit(process)).isEqualTo(128 + 9);
      process.kill();
    }
  }

  @Test
  void theProgramsEndEndsDetachedProcesses() throws Exception {
    String mark = mark();
    try (SandboxProcess process = sandboxes.start(policyWithDetached(mark))) {
      awaitUp(process, mark);
      process.input().write(1);
      process.input().flush();
      assertThat(Sandboxes.exit(process)).isEqualTo(5);
      assertThat(HostProcesses.within(Duration.ofSeconds(1), () -> gone(mark))).isTrue();
    }
  }

  /** Sweeps over the first milliseconds: bwrap forks its child in one of them. */
  @Test
  void killDuringTheStartLeavesNothing() throws Exception {
    String mark = mark();
    for (int round = 0; round < 60; round++) {
      try (SandboxProcess process = sandboxes.start(policyWithDetached(mark))) {
        LockSupport.parkNanos(round * 100_000L);
        process.kill();
        Sandboxes.exit(process);
      }
    }
    assertThat(HostProcesses.within(Duration.ofSeconds(1), () -> gone(mark))).isTrue();
    String ours = directory.resolve("run").toString();
    assertThat(
            HostProcesses.within(
                Duration.ofSeconds(1),
                () ->
                    HostProcesses.withEnvironment(ours).isEmpty()
                        && HostProcesses.withEnvironment(mark).isEmpty()
                        && ProcessHandle.current().descendants().count() == 0))
        .as("%s %s", HostProcesses.withEnvironment(ours), HostProcesses.withEnvironment(mark))
        .isTrue();
  }

  @Test
  void closeEndsAllAndLeavesNoFiles() throws Exception {
    List<SandboxProcess> processes = new ArrayList<>();
    for (int count = 0; count < 3; count++) {
      SandboxProcess process = sandboxes.start(WAIT);
      assertThat(process.output().read()).isEqualTo('u');
      processes.add(process);
    }
    assertThat(sandboxes.launcher().running()).isEqualTo(3);
    processes.get(0).close();
    Sandboxes.exit(processes.get(0));
    assertThat(sandboxes.launcher().running()).isEqualTo(2);
    sandboxes.launcher().close();
    for (SandboxProcess process : processes) {
      assertThat(Sandboxes.exit(process)).isEqualTo(128 + 9);
    }
    assertThat(sandboxes.launcher().running()).isZero();
    assertThat(directory.resolve("run")).isEmptyDirectory();
    SandboxPolicy late = sandboxes.policy(WAIT, Map.of());
    assertThatThrownBy(() -> sandboxes.start(late))
        .hasCauseInstanceOf(SandboxException.class)
        .hasMessageContaining("stopping");
  }

  @Test
  void argumentsAreGoneOnceTheProgramRuns() throws Exception {
    try (SandboxProcess process = sandboxes.start(WAIT)) {
      assertThat(process.output().read()).isEqualTo('u');
      try (Stream<Path> files = Files.walk(directory.resolve("run"))) {
        assertThat(files.map(Path::toString)).noneMatch(name -> name.endsWith(".args"));
      }
    }
  }

  @Test
  void aMissingProgramIsDiagnosed() throws Exception {
    SandboxPolicy policy = sandboxes.policy(WAIT, Map.of());
    Files.delete(policy.runnerDirectory().resolve(SandboxView.PROGRAM));
    Sandboxes.Outcome outcome = sandboxes.run(policy);
    assertThat(outcome.exit()).isNotZero();
    assertThat(outcome.diagnostics()).contains("supervisor.py");
  }

  @Test
  void aVirtualEnvironmentIsSeenAtItsPlace() throws Exception {
    Path base = sandboxes.interpreter().executable();
    Path environment = directory.resolve("venv");
    Files.createDirectories(environment.resolve("bin"));
    Files.createSymbolicLink(environment.resolve("bin/python3"), base);
    Files.writeString(environment.resolve("pyvenv.cfg"), "home = " + base.getParent() + "\n");
    for (Path path : List.of(directory, environment, environment.resolve("bin"))) {
      Sandboxes.open(path);
    }
    Interpreter interpreter =
        InterpreterProbe.find(sandboxes.host(), Optional.of(environment.resolve("bin/python3")));
    SandboxPolicy any =
        sandboxes.policy("import site\nsite.main()\nprint('prefix=' + sys.prefix)", Map.of());
    SandboxPolicy policy =
        new SandboxPolicy(
            interpreter,
            any.runnerDirectory(),
            any.workspace(),
            Map.of(),
            any.tmpBytes(),
            ResourceLimits.NONE);
    assertThat(sandboxes.run(policy).fact("prefix")).isEqualTo(environment.toString());
    Files.delete(environment.resolve("bin/python3")); // JUnit warns of links out of its directory
  }

  private static String mark() {
    // As a number of seconds the argument of sleep, and unlike any other process's.
    return "86400." + System.nanoTime();
  }

  private SandboxPolicy policyWithDetached(String mark) throws Exception {
    return sandboxes.policy(
        """
        for number in range(2):
            if os.fork() == 0:
                os.setsid()
                if os.fork() != 0:
                    os._exit(0)
                os.execv("/usr/bin/sleep", ["sleep", os.environ["MARK"]])
        os.write(1, b"1")
        os.read(0, 1)
        os._exit(5)
        """,
        Map.of("MARK", mark));
  }

  private static void awaitUp(SandboxProcess process, String mark) throws Exception {
    InputStream output = process.output();
    assertThat(output.read()).isEqualTo('1');
    assertThat(
            HostProcesses.within(
                Duration.ofSeconds(10), () -> HostProcesses.with(mark).size() == 2))
        .isTrue();
  }

  private static boolean gone(String mark) {
    return HostProcesses.with(mark).isEmpty();
  }
}
