package io.runstone.kernel;

import java.util.concurrent.CompletionStage;

/**
 * A running Python that keeps its variables from one execution to the next.
 *
 * <p>Life: an engine launches it, it executes cells one after the other, it is closed or dies.
 * Thread-safe, except that only one thread at a time may execute.
 */
public interface Kernel extends AutoCloseable {

  /**
   * Runs a cell and waits for its end, which comes at the latest when its timeout and the grace for
   * interrupts are over. Never runs a cell twice, and never throws for what the cell did: a kernel
   * that dies is a result.
   *
   * @throws InterruptedException if the calling thread was interrupted; the kernel is closed then,
   *     for nobody is left to say what became of the cell
   */
  ExecutionResult execute(ExecuteRequest request, OutputListener listener)
      throws InterruptedException;

  /**
   * Interrupts a cell and returns at once; the cell's own {@code execute} reports what became of
   * it.
   *
   * @return whether that cell was running
   */
  boolean interrupt(ExecutionId id);

  /** Whether the kernel's process runs. */
  boolean isAlive();

  /** Completes when the process has ended, for whatever reason. */
  CompletionStage<Void> onExit();

  /**
   * Memory in use now by the kernel's processes, in bytes, what they share with others in parts; 0
   * when it is not known. Measured, so it takes some milliseconds.
   */
  long memoryBytes();

  /** Facts about the process. */
  KernelInfo info();

  /** Ends the process and everything it started. Idempotent, returns at once. */
  @Override
  void close();
}
