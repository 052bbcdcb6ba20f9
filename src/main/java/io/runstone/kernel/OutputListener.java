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
}
