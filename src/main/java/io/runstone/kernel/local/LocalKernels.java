package io.runstone.kernel.local;

import io.runstone.concurrent.Threads;
import io.runstone.config.Settings;
import io.runstone.kernel.EngineStatus;
import io.runstone.kernel.KernelEngine;
import io.runstone.kernel.UnavailableEngine;
import io.runstone.sandbox.Interpreter;
import io.runstone.sandbox.InterpreterProbe;
import io.runstone.sandbox.LimitStatus;
import io.runstone.sandbox.SandboxException;
import io.runstone.sandbox.SandboxHost;
import io.runstone.sandbox.SandboxLauncher;
import io.runstone.sandbox.SandboxLevel;
import io.runstone.sandbox.SandboxMode;
import io.runstone.sandbox.SandboxProbe;
import io.runstone.sandbox.SandboxStatus;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** Finds out what this machine can do, once, and makes the engine accordingly. Stateless. */
public final class LocalKernels {
  private static final System.Logger LOG = System.getLogger(LocalKernels.class.getName());

  private LocalKernels() {}

  /**
   * Probes interpreter and sandbox by using them, which takes up to some seconds. Never falls back
   * to a weaker confinement than configured: the result is an engine that refuses, with the cure.
   */
  public static KernelEngine open(Settings settings, Threads threads) {
    Path data = settings.sandbox().dataDirectory();
    RunDirectory files;
    try {
      files = RunDirectory.create(data);
    } catch (IOException e) {
      return refuse(
          Optional.empty(),
          "the data directory " + data + " can't be used (" + e + ").",
          Optional.of("Make it writable for the server, or set runstone.data-dir."));
    }
    try {
      return open(settings, threads, files);
    } catch (SandboxException | IOException | IllegalArgumentException e) {
      files.close();
      return refuse(Optional.empty(), String.valueOf(e.getMessage()), Optional.empty());
    }
  }

  private static KernelEngine open(Settings settings, Threads threads, RunDirectory files)
      throws SandboxException, IOException {
    Settings.Sandbox sandbox = settings.sandbox();
    SandboxMode mode = SandboxMode.parse(sandbox.mode());
    SandboxHost host =
        SandboxHost.of(sandbox.searchPath(), sandbox.uid(), sandbox.gid(), files.path());
    Interpreter interpreter = InterpreterProbe.find(host, settings.kernel().python());
    SandboxStatus probed =
        new SandboxProbe(host, threads.processStarters("sandbox-probe")).probe(mode, interpreter);
    Optional<String> python = Optional.of(interpreter.version());
    if (probed.level().isEmpty()) {
      files.close();
      return refuse(python, probed.detail(), probed.cure());
    }
    SandboxLevel level = probed.level().orElseThrow();
    SandboxLauncher launcher =
        new SandboxLauncher(
            host, level, sandbox.controlGroups(), threads.processStarters("sandbox-launcher"));
    LimitStatus limits = launcher.limits();
    EngineStatus status =
        new EngineStatus(
            true,
            level.label(),
            limits.level().label(),
            python,
            probed.detail() + " " + limits.detail(),
            probed.cure().or(limits::cure));
    LOG.log(
        System.Logger.Level.INFO,
        "kernels run Python {0} at sandbox level {1}, limits by {2}",
        interpreter.version(),
        level.label(),
        limits.level().label());
    return new LocalKernelEngine(settings, interpreter, files, launcher, status, threads);
  }

  private static KernelEngine refuse(
      Optional<String> python, String detail, Optional<String> cure) {
    LOG.log(System.Logger.Level.ERROR, "no code can be run: {0} {1}", detail, cure.orElse(""));
    return new UnavailableEngine(
        new EngineStatus(false, "unavailable", "none", python, detail, cure));
  }
}
