package io.runstone.sandbox;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Finds the sandbox level that works here by starting a program that looks around and tells what it
 * sees. Thread-safe; leaves nothing behind.
 */
public final class SandboxProbe {
  private static final Logger LOG = System.getLogger(SandboxProbe.class.getName());
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final int REPORT_LIMIT = 16 * 1024;
  // They are probed by the launcher, and are no part of the level.
  private static final ControlGroups NO_GROUPS =
      ControlGroups.none("not used for checks", Optional.empty());

  private final SandboxHost host;
  private final ThreadFactory threads;

  /** For that host; one thread is made for each level tried and ended with it. */
  public SandboxProbe(SandboxHost host, ThreadFactory threads) {
    this.host = host;
    this.threads = threads;
  }

  /**
   * Tries what the mode allows, strongest first, at most 10 s for each level. Blocks that long.
   *
   * @return never fails: a level that is not usable is told in the detail
   */
  public SandboxStatus probe(SandboxMode mode, Interpreter interpreter) {
    List<String> failures = new ArrayList<>();
    for (SandboxLevel level : levels(mode)) {
      try {
        check(level, interpreter);
        return works(level, interpreter, failures);
      } catch (SandboxException e) {
        failures.add(level.label() + ": " + e.getMessage());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        failures.add(level.label() + ": interrupted");
        break;
      }
    }
    String detail = String.join("; ", failures);
    return new SandboxStatus(
        Optional.empty(), detail, Optional.of(SandboxCure.blocked(mode, detail)));
  }

  /** Pure: the levels to try, in order. */
  static List<SandboxLevel> levels(SandboxMode mode) {
    return switch (mode) {
      case AUTO -> List.of(SandboxLevel.BUBBLEWRAP, SandboxLevel.NAMESPACES);
      case BUBBLEWRAP -> List.of(SandboxLevel.BUBBLEWRAP);
      case NAMESPACES -> List.of(SandboxLevel.NAMESPACES);
      case NONE -> List.of(SandboxLevel.NONE);
    };
  }

  private static SandboxStatus works(
      SandboxLevel level, Interpreter interpreter, List<String> failures) {
    String detail = level.label() + ": checked with Python " + interpreter.version();
    if (!failures.isEmpty()) {
      detail += "; not usable is " + String.join("; ", failures);
    }
    return new SandboxStatus(Optional.of(level), detail, SandboxCure.weaker(level, failures));
  }

  private void check(SandboxLevel level, Interpreter interpreter)
      throws SandboxException, InterruptedException {
    List<Path> made = new ArrayList<>();
    try {
      Files.createDirectories(host.runDirectory());
      Path runner = directory(made, "rwxr-xr-x");
      Path workspace = directory(made, "rwx------");
      Path program = runner.resolve(SandboxView.PROGRAM);
      Files.write(program, LaunchDirectory.resource("probe.py"));
      Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rw-r--r--"));
      made.add(program);
      made.add(workspace.resolve("probe"));
      host.giveToSandbox(workspace);
      SandboxPolicy policy =
          new SandboxPolicy(interpreter, runner, workspace, Map.of(), 1 << 20, ResourceLimits.NONE);
      String report = run(level, policy);
      List<String> complaints = ProbeReport.parse(report).complaints(level);
      if (!complaints.isEmpty()) {
        throw new SandboxException(String.join(", ", complaints));
      }
    } catch (IOException e) {
      throw new SandboxException(
          "cannot prepare the check in " + host.runDirectory() + ": " + e, e);
    } finally {
      delete(made);
    }
  }

  private static void delete(List<Path> made) {
    // Last made, first deleted.
    for (int index = made.size() - 1; index >= 0; index--) {
      try {
        Files.deleteIfExists(made.get(index));
      } catch (IOException e) {
        LOG.log(Level.WARNING, "cannot delete a file of the sandbox check", e);
      }
    }
  }

  private Path directory(List<Path> made, String permissions) throws IOException {
    Path directory = Files.createTempDirectory(host.runDirectory(), "probe-");
    made.add(directory);
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString(permissions));
    return directory;
  }

  private String run(SandboxLevel level, SandboxPolicy policy)
      throws SandboxException, InterruptedException {
    try (SandboxLauncher launcher = new SandboxLauncher(host, level, NO_GROUPS, threads);
        SandboxProcess process = within(launcher.launch(policy).toCompletableFuture())) {
      // The report fits into the pipe, so it can be read after the end.
      int exit = within(process.onExit().toCompletableFuture());
      byte[] report = process.output().readNBytes(REPORT_LIMIT);
      if (exit != 0) {
        throw new SandboxException(
            "a program could not be run (exit " + exit + "): " + oneLine(process.diagnostics()));
      }
      return new String(report, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new SandboxException("the check could not be read: " + e, e);
    }
  }

  private static <T> T within(CompletableFuture<T> future)
      throws SandboxException, InterruptedException {
    try {
      return future.get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof SandboxException cause) {
        throw cause;
      }
      throw new SandboxException("cannot be started: " + e.getMessage(), e);
    } catch (TimeoutException e) {
      throw new SandboxException("no answer within " + TIMEOUT.toSeconds() + " s", e);
    }
  }

  private static String oneLine(String text) {
    return text.isEmpty() ? "it said nothing" : text.replaceAll("\\s*\\R\\s*", " | ");
  }
}
