package io.runstone.kernel;

/**
 * Hears output while a cell runs. Called on the thread that reads from the kernel, so it must
 * return at once and never throw; a slow listener would slow the program down.
 */
@FunctionalInterface
public interface OutputListener {
  /** Ignores everything. */
  OutputListener NONE = output -> {};

  /** Takes what the program has just put out. */
  void onOutput(Output.Stream output);

  /**
   * Takes a sentence on what the program waits for, which is no output. May be called on any
   * thread.
   */
  default void onNote(String note) {}
}
