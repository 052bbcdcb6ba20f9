package io.runstone.kernel.local;

import io.runstone.sandbox.ProcessMemory;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Ends kernels whose processes together use more memory than they may, where no control group sees
 * to that, and the largest of a workspace whose kernels together do. It looks now and then, so what
 * grows quickly is stopped by {@code RLIMIT_AS}, and what grows by many processes, here.
 * Thread-safe.
 */
final class MemoryWatch {
  private static final Path NOWHERE = Path.of("");
  private static final System.Logger LOG = System.getLogger(MemoryWatch.class.getName());

  private final OptionalLong kernelLimit;
  private final OptionalLong workspaceLimit;

  /** The kernels, and the workspace of each. */
  private final Map<LocalKernel, Path> kernels = new ConcurrentHashMap<>();

  /**
   * Creates a watch.
   *
   * @param kernelLimit bytes of one kernel
   * @param workspaceLimit bytes of all kernels of a workspace
   */
  MemoryWatch(OptionalLong kernelLimit, OptionalLong workspaceLimit) {
    this.kernelLimit = kernelLimit;
    this.workspaceLimit = workspaceLimit;
  }

  /** Watches a kernel until it ends. */
  void add(LocalKernel kernel, Path workspace) {
    kernels.put(kernel, workspace);
    kernel.onExit().thenRun(() -> kernels.remove(kernel));
  }

  /** Looks at every kernel: at what is quickly known first, for most are far below the limit. */
  void look() {
    if (kernels.isEmpty()) {
      return;
    }
    ProcessMemory memory = ProcessMemory.now();
    if (kernelLimit.isPresent()) {
      long limit = kernelLimit.orElseThrow();
      for (LocalKernel kernel : kernels.keySet()) {
        long pid = kernel.info().pid();
        if (memory.residentSum(pid) > limit && memory.sum(pid) > limit) {
          end(kernel, CellResults.OUT_OF_MEMORY);
        }
      }
    }
    if (workspaceLimit.isPresent()) {
      Map<Path, List<LocalKernel>> byWorkspace =
          kernels.keySet().stream()
              .filter(LocalKernel::isAlive)
              .collect(Collectors.groupingBy(kernel -> kernels.getOrDefault(kernel, NOWHERE)));
      byWorkspace.values().forEach(these -> lookTogether(these, memory));
    }
  }

  private void lookTogether(List<LocalKernel> these, ProcessMemory memory) {
    long limit = workspaceLimit.orElseThrow();
    if (these.stream().mapToLong(each -> memory.residentSum(each.info().pid())).sum() <= limit) {
      return;
    }
    Map<LocalKernel, Long> sums =
        these.stream()
            .collect(Collectors.toMap(each -> each, each -> memory.sum(each.info().pid())));
    if (sums.values().stream().mapToLong(Long::longValue).sum() > limit) {
      end(
          Collections.max(sums.entrySet(), Map.Entry.comparingByValue()).getKey(),
          CellResults.OUT_OF_USERS_MEMORY);
    }
  }

  private static void end(LocalKernel kernel, String reason) {
    LOG.log(System.Logger.Level.INFO, "pid {0}: kernel used too much memory", kernel.info().pid());
    kernel.endForMemory(reason);
  }
}
