package io.runstone.sandbox;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** A sandbox that is a process of this host. Thread-safe but for its streams. */
final class OsSandboxProcess implements SandboxProcess {
  private static final Logger LOG = System.getLogger(OsSandboxProcess.class.getName());

  private final Process process;
  private final SandboxLevel level;
  private final LaunchMark mark;
  private final Optional<ControlGroup> group;
  private final Diagnostics diagnostics;
  private final Runnable started;
  private final Consumer<SandboxProcess> closed;
  private final InputStream output;
  private final AtomicBoolean ready = new AtomicBoolean();
  private final AtomicBoolean closing = new AtomicBoolean();

  /**
   * Takes over a process.
   *
   * @param mark by which what it leaves behind is found
   * @param group it is in, to be asked for its use
   * @param started run once when its start is over, for better or worse
   * @param closed told once when it is closed
   */
  OsSandboxProcess(
      Process process,
      SandboxLevel level,
      LaunchMark mark,
      Optional<ControlGroup> group,
      Diagnostics diagnostics,
      Runnable started,
      Consumer<SandboxProcess> closed) {
    this.process = process;
    this.level = level;
    this.mark = mark;
    this.group = group;
    this.diagnostics = diagnostics;
    this.started = started;
    this.closed = closed;
    this.output = new FirstByteInputStream(process.getInputStream(), this::ready);
  }

  private void ready() {
    if (ready.compareAndSet(false, true)) {
      diagnostics.freeze();
      started.run();
    }
  }

  @Override
  public OutputStream input() {
    return process.getOutputStream();
  }

  @Override
  public InputStream output() {
    return output;
  }

  @Override
  public long pid() {
    return process.pid();
  }

  @Override
  public boolean isAlive() {
    return process.isAlive();
  }

  @Override
  public CompletionStage<Integer> onExit() {
    return process.onExit().thenApply(Process::exitValue);
  }

  @Override
  public String diagnostics() {
    return diagnostics.text();
  }

  @Override
  public ResourceUsage usage() {
    return group.map(ControlGroup::usage).orElse(ResourceUsage.UNKNOWN);
  }

  @Override
  public boolean resetPeak() {
    return group.map(ControlGroup::resetPeak).orElse(false);
  }

  @Override
  public void kill() {
    // Not Process.destroyForcibly(), which also closes the streams and waits for whoever writes.
    ProcessHandle outer = process.toHandle();
    boolean starting = !ready.get();
    if (level == SandboxLevel.NONE || starting) {
      // While it starts, its child may not have its parent-death signal yet.
      outer.descendants().forEach(ProcessHandle::destroyForcibly);
    }
    if (level == SandboxLevel.BUBBLEWRAP && starting) {
      // Only when it is dead it is certain to have no further child.
      process.onExit().thenRun(mark::killStrays);
    }
    if (level == SandboxLevel.NONE) {
      outer.destroy(); // the launcher then ends what has escaped to it
    } else if (starting || !killProgram(outer)) {
      outer.destroyForcibly();
    }
  }

  /**
   * Kills the program inside, PID 1 of its namespace, with which everything inside dies. The outer
   * process then reaps it and ends. The other way round a zombie would stay wherever the init
   * process reaps no orphans, as when a server is the init process of its container.
   */
  private static boolean killProgram(ProcessHandle outer) {
    return outer.children().filter(ProcessHandle::destroyForcibly).count() > 0;
  }

  @Override
  public void close() {
    if (closing.compareAndSet(false, true)) {
      kill();
      ready();
      release(output);
      release(process.getOutputStream());
      diagnostics.delete();
      closed.accept(this);
    }
  }

  private void release(Closeable stream) {
    try {
      stream.close();
    } catch (IOException e) {
      // Flushing into the pipe of a killed process.
      LOG.log(Level.DEBUG, "cannot close a pipe of a sandbox", e);
    }
  }
}
