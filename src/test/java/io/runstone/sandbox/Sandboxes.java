package io.runstone.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** Real sandboxes for tests, below one directory. Not thread-safe. */
final class Sandboxes implements AutoCloseable {
  static final long TMP_BYTES = 1 << 20;
  private static final long UNPRIVILEGED = 4242;
  private static final long TIMEOUT_SECONDS = 20;

  // What every stand-in program can use.
  private static final String PRELUDE =
      """
      import ctypes, errno, os, signal, socket, sys
      libc = ctypes.CDLL(None, use_errno=True)
      def attempt(name, action):
          try:
              print(f"{name}=done {action()!r}", flush=True)
          except OSError as error:
              print(f"{name}={errno.errorcode[error.errno]}", flush=True)
      def call(result):
          if result < 0:
              raise OSError(ctypes.get_errno(), "call")
          return result
      """;

  /** How a program ended. */
  record Outcome(int exit, String output, String diagnostics) {
    String fact(String name) {
      return new HashMap<>(ProbeReport.parse(output).facts()).getOrDefault(name, "not told");
    }
  }

  private final Path directory;
  private final SandboxHost host;
  private final Interpreter interpreter;
  private final SandboxLauncher launcher;
  private int number;

  Sandboxes(Path directory, SandboxLevel level) throws IOException, SandboxException {
    this.directory = directory;
    this.host = host(directory);
    this.interpreter = InterpreterProbe.find(host, Optional.empty());
    require(host, level);
    if (level == SandboxLevel.NONE) {
      open(directory);
    }
    this.launcher = new SandboxLauncher(host, level, true, Thread::new);
  }

  static SandboxHost host(Path directory) throws IOException {
    return SandboxHost.of(
        System.getenv("PATH"), UNPRIVILEGED, UNPRIVILEGED, directory.resolve("run"));
  }

  /**
   * Skips the test where this machine lacks the level, visibly; fails instead if the system
   * property {@code runstone.test.require}, or the variable {@code RUNSTONE_TEST_REQUIRE}, names
   * it.
   */
  static void require(SandboxHost host, SandboxLevel level) throws IOException {
    Optional<String> missing = missing(host, level);
    String variable = Optional.ofNullable(System.getenv("RUNSTONE_TEST_REQUIRE")).orElse("");
    String required = System.getProperty("runstone.test.require", variable);
    if (required.contains(level.label())) {
      assertThat(missing).as("runstone.test.require=%s", required).isEmpty();
    }
    Assumptions.assumeTrue(
        missing.isEmpty(), () -> "SKIPPED, level " + level.label() + ": " + missing.orElse(""));
  }

  /** Skips the test, visibly, where no control groups can be made, under the same property. */
  LimitStatus requireGroups() {
    LimitStatus status = launcher.limits();
    String variable = Optional.ofNullable(System.getenv("RUNSTONE_TEST_REQUIRE")).orElse("");
    if (System.getProperty("runstone.test.require", variable).contains("cgroup")) {
      assertThat(status.groups()).as("%s", status).isTrue();
    }
    Assumptions.assumeTrue(status.groups(), () -> "SKIPPED, " + status.detail());
    return status;
  }

  private static Optional<String> missing(SandboxHost host, SandboxLevel level) throws IOException {
    if (level == SandboxLevel.BUBBLEWRAP && host.which("bwrap").isEmpty()) {
      return Optional.of("install bubblewrap to run this test");
    }
    if (level != SandboxLevel.NONE && !namespacesAllowed(host)) {
      return Optional.of("this kernel or container forbids user namespaces");
    }
    return Optional.empty();
  }

  private static boolean namespacesAllowed(SandboxHost host) throws IOException {
    String user = Long.toString(UNPRIVILEGED);
    ProcessBuilder builder =
        host.root()
            ? new ProcessBuilder(
                "setpriv",
                "--reuid",
                user,
                "--regid",
                user,
                "--clear-groups",
                "unshare",
                "-Ur",
                "true")
            : new ProcessBuilder("unshare", "-Ur", "true");
    try {
      return builder.start().waitFor() == 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  SandboxHost host() {
    return host;
  }

  Interpreter interpreter() {
    return interpreter;
  }

  SandboxLauncher launcher() {
    return launcher;
  }

  /** A policy whose runner directory holds a program of that text. */
  SandboxPolicy policy(String program, Map<String, String> environment) throws IOException {
    number++;
    Path runner = Files.createDirectory(directory.resolve("runner" + number));
    Path workspace = Files.createDirectory(directory.resolve("workspace" + number));
    Path file = Files.writeString(runner.resolve(SandboxView.PROGRAM), PRELUDE + program);
    open(runner);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    host.giveToSandbox(workspace);
    return new SandboxPolicy(
        interpreter, runner, workspace, environment, TMP_BYTES, ResourceLimits.NONE);
  }

  /** The same with limits. */
  SandboxPolicy policy(String program, ResourceLimits limits) throws IOException {
    SandboxPolicy any = policy(program, Map.of());
    return new SandboxPolicy(
        interpreter, any.runnerDirectory(), any.workspace(), Map.of(), TMP_BYTES, limits);
  }

  SandboxProcess start(String program) throws Exception {
    return start(policy(program, Map.of()));
  }

  SandboxProcess start(SandboxPolicy policy) throws Exception {
    return launcher.launch(policy).toCompletableFuture().get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
  }

  /** Runs to the end; the output has to fit into a pipe. */
  Outcome run(String program) throws Exception {
    return run(policy(program, Map.of()));
  }

  Outcome run(SandboxPolicy policy) throws Exception {
    try (SandboxProcess process = start(policy)) {
      int exit = exit(process);
      String output = new String(process.output().readAllBytes(), StandardCharsets.UTF_8);
      return new Outcome(exit, output, process.diagnostics());
    }
  }

  static int exit(SandboxProcess process) throws Exception {
    return process.onExit().toCompletableFuture().get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
  }

  static void open(Path path) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  @Override
  public void close() {
    launcher.close();
  }
}
