package io.runstone.sandbox;

import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.CompletionStage;

/**
 * A program in its sandbox: started, perhaps ready, ended, closed.
 *
 * <p>Safe for use by several threads, except that each stream has one user at a time.
 */
public interface SandboxProcess extends AutoCloseable {
  /** The program's standard input; buffered, so flush. */
  OutputStream input();

  /**
   * The program's standard output. The first byte read from it marks the end of the start: the
   * {@link #diagnostics} grow no more.
   */
  InputStream output();

  /** The host's id of the outermost process. */
  long pid();

  /** Whether the outermost process runs. */
  boolean isAlive();

  /** Completes when the program ended: its exit code, or 128 + signal when it was signalled. */
  CompletionStage<Integer> onExit();

  /**
   * The last part, at most 4 KB, of what the sandbox itself reported up to the first byte of
   * output; empty when it was silent.
   */
  String diagnostics();

  /**
   * What everything inside has used up to now, or to its end; empty where there are no control
   * groups, see {@link SandboxLauncher#limits()}. Reads some small files, in well under 1 ms.
   */
  ResourceUsage usage();

  /**
   * Starts the peak memory of {@link #usage} anew, from the memory used now.
   *
   * @return false where that is not possible: without a control group, after the end, and with
   *     cgroup v2 before Linux 6.12
   */
  boolean resetPeak();

  /** Ends everything inside with SIGKILL; returns at once and may be called again. */
  void kill();

  /** Kills, and releases pipes and files. Idempotent and quick; failures to tidy are logged. */
  @Override
  void close();
}
