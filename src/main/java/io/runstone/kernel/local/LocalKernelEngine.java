package io.runstone.kernel.local;

import io.runstone.concurrent.Threads;
import io.runstone.config.Settings;
import io.runstone.kernel.EngineStatus;
import io.runstone.kernel.Kernel;
import io.runstone.kernel.KernelEngine;
import io.runstone.kernel.KernelException;
import io.runstone.sandbox.Interpreter;
import io.runstone.sandbox.ResourceLimits;
import io.runstone.sandbox.SandboxLauncher;
import io.runstone.sandbox.SandboxLevel;
import io.runstone.sandbox.SandboxPolicy;
import io.runstone.sandbox.SandboxProcess;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/** Starts kernels on this machine, each in a sandbox of its own. Thread-safe. */
final class LocalKernelEngine implements KernelEngine {
  /** How often memory is looked at where that is needed. */
  private static final long MEMORY_MILLIS = 500;

  private final Settings settings;
  private final Interpreter interpreter;
  private final RunDirectory files;
  private final SandboxLauncher launcher;
  private final EngineStatus status;
  private final ThreadFactory readers;
  private final ScheduledThreadPoolExecutor timer;
  private final Optional<MemoryWatch> memoryWatch;

  LocalKernelEngine(
      Settings settings,
      Interpreter interpreter,
      RunDirectory files,
      SandboxLauncher launcher,
      EngineStatus status,
      Threads threads) {
    this.settings = settings;
    this.interpreter = interpreter;
    this.files = files;
    this.launcher = launcher;
    this.status = status;
    this.readers = threads.named("kernel-reader");
    this.timer = threads.timer("kernel-timer");
    this.memoryWatch = memoryWatch(settings, launcher.limits().groups());
    memoryWatch.ifPresent(
        watch ->
            timer.scheduleWithFixedDelay(
                watch::look, MEMORY_MILLIS, MEMORY_MILLIS, TimeUnit.MILLISECONDS));
  }

  private static Optional<MemoryWatch> memoryWatch(Settings settings, boolean groups) {
    long quota = settings.quota().memoryBytes();
    OptionalLong ofUser = quota > 0 ? OptionalLong.of(quota) : OptionalLong.empty();
    OptionalLong ofKernel =
        groups ? OptionalLong.empty() : OptionalLong.of(settings.kernel().memoryBytes());
    return ofUser.isPresent() || ofKernel.isPresent()
        ? Optional.of(new MemoryWatch(ofKernel, ofUser))
        : Optional.empty();
  }

  @Override
  public CompletionStage<Kernel> launch(Path workspace) {
    SandboxPolicy policy =
        new SandboxPolicy(
            interpreter,
            files.runner(),
            workspace,
            Map.of(),
            settings.kernel().tmpBytes(),
            new ResourceLimits(
                OptionalLong.of(settings.kernel().memoryBytes()),
                OptionalInt.of(settings.kernel().processes()),
                settings.kernel().cpuWeight()));
    return launcher.launch(policy).thenCompose(process -> handshake(process, workspace));
  }

  private CompletionStage<Kernel> handshake(SandboxProcess process, Path workspace) {
    Settings.Execution execution = settings.execution();
    LocalKernel kernel =
        new LocalKernel(
            process,
            execution.interruptGrace(),
            OutputLimits.of(settings.outputs(), files.outputs()));
    Map<String, ?> init =
        Commands.settings(settings.kernel(), launcher.level() != SandboxLevel.NONE);
    CompletableFuture<Kernel> started = new CompletableFuture<>();
    try {
      timer.schedule(
          () -> expire(kernel, started),
          settings.kernel().startTimeout().toMillis(),
          TimeUnit.MILLISECONDS);
      readers.newThread(() -> kernel.readUntilExit(init)).start();
    } catch (RuntimeException e) { // the server is shutting down
      process.close();
      return CompletableFuture.failedStage(new KernelException("no kernel can be started", e));
    }
    kernel
        .ready()
        .whenComplete(
            (python, failure) -> {
              if (failure == null) {
                memoryWatch.ifPresent(watch -> watch.add(kernel, workspace));
                started.complete(kernel);
              } else {
                started.completeExceptionally(
                    new KernelException("the kernel did not start. " + kernel.diagnostics()));
              }
            });
    return started;
  }

  private void expire(LocalKernel kernel, CompletableFuture<Kernel> started) {
    if (started.completeExceptionally(
        new KernelException(
            "the kernel was not ready within "
                + settings.kernel().startTimeout()
                + "; the machine may be overloaded, or raise runstone.kernel.start-timeout"))) {
      kernel.close();
    }
  }

  @Override
  public EngineStatus status() {
    return status;
  }

  @Override
  public void close() {
    timer.shutdownNow();
    launcher.close();
    files.close();
  }
}
