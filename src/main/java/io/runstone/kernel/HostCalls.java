package io.runstone.kernel;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The port to what code in a kernel can ask for while a cell runs. Thread-safe. */
@FunctionalInterface
public interface HostCalls {
  /** A host that has no upstream servers. */
  HostCalls NONE =
      call ->
          CompletableFuture.completedStage(
              call.method() == HostMethod.SERVERS
                  ? new HostReply.Answer("[]")
                  : new HostReply.Refusal("unknown", "this server has no upstream servers"));

  /**
   * Begins, and returns at once: it is called on the thread that reads from the kernel. The kernel
   * bounds how much may be under way.
   */
  CompletionStage<HostReply> call(HostCall call);
}
