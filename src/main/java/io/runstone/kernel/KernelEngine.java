package io.runstone.kernel;

import java.nio.file.Path;
import java.util.concurrent.CompletionStage;

/** The port to whatever provides kernels. Thread-safe. */
public interface KernelEngine extends AutoCloseable {

  /**
   * Starts a kernel and returns at once. Fails with a {@link KernelException}; nothing is left
   * behind then.
   *
   * @param workspace the directory on the host that the kernel sees as {@code /app/uploads}
   */
  CompletionStage<Kernel> launch(Path workspace);

  /** Whether and how kernels can be started. */
  EngineStatus status();

  /** Ends every kernel. Idempotent. */
  @Override
  void close();
}
