package io.runstone.soak;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * What this process holds, after a garbage collection.
 *
 * @param heapMegabytes used heap
 * @param threads live threads
 * @param descriptors open files
 */
record Usage(long heapMegabytes, int threads, long descriptors) {

  static Usage now() throws IOException {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    Runtime runtime = Runtime.getRuntime();
    try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
      return new Usage(
          (runtime.totalMemory() - runtime.freeMemory()) >> 20,
          Thread.getAllStackTraces().size(),
          open.count());
    }
  }
}
