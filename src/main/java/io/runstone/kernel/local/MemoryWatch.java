package io.runstone.kernel.local;

import io.runstone.sandbox.ProcessMemory;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Ends kernels whose processes together use more memory than they may, where no control group sees
 * to that. It looks now and then, so what grows quickly is stopped by {@code RLIMIT_AS}, and what
 * grows by many processes, here. Thread-safe.
 */
final class MemoryWatch {
  private static final System.Logger LOG = System.getLogger(MemoryWatch.class.getName());

  private final long limitBytes;
  private final Set<LocalKernel> kernels = ConcurrentHashMap.newKeySet();

  MemoryWatch(long limitBytes) {
    this.limitBytes = limitBytes;
  }

  /** Watches a kernel until it ends. */
  void add(LocalKernel kernel) {
    kernels.add(kernel);
    kernel.onExit().thenRun(() -> kernels.remove(kernel));
  }

  /** Looks at every kernel: at what is quickly known first, for most are far below the limit. */
  void look() {
    if (kernels.isEmpty()) {
      return;
    }
    ProcessMemory memory = ProcessMemory.now();
    for (LocalKernel kernel : kernels) {
      long pid = kernel.info().pid();
      if (memory.residentSum(pid) > limitBytes && memory.sum(pid) > limitBytes) {
        LOG.log(System.Logger.Level.INFO, "pid {0}: kernel used too much memory", pid);
        kernel.endForMemory();
      }
    }
  }
}
