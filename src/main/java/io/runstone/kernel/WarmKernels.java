package io.runstone.kernel;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * An engine in front of another that keeps some kernels ready for each workspace that was used
 * lately, so that the next launch there takes no time. An empty pool never delays a launch: it is
 * passed on. A kernel is handed out once; it is refilled in the background, dropped when it died,
 * and replaced when it is old. Thread-safe; nothing blocks under its lock.
 */
public final class WarmKernels implements KernelEngine {
  private static final System.Logger LOG = System.getLogger(WarmKernels.class.getName());

  private final KernelEngine engine;
  private final Limits limits;
  private final LongSupplier nanoTime;
  private final Object lock = new Object();

  @GuardedBy("lock") private final Map<Path, Shelf> shelves = new HashMap<>();

  @GuardedBy("lock") private int total;

  /** Memory of the largest ready kernel that was seen; 0 before the first. */
  @GuardedBy("lock") private long largest;

  @GuardedBy("lock") private boolean closed;

  /**
   * How many are kept, and for how long.
   *
   * @param perWorkspace ready kernels of one workspace; 0 keeps none
   * @param total ready kernels of all workspaces
   * @param bytes memory of all ready kernels, each taken for as large as the largest seen
   * @param maxAge after which a ready kernel is replaced, and those of an unused workspace ended
   */
  public record Limits(int perWorkspace, int total, long bytes, Duration maxAge) {}

  private record Ready(Kernel kernel, long since) {}

  private static final class Shelf {
    final Queue<Ready> ready = new ArrayDeque<>();
    int coming;
    long lastUsed;
  }

  /**
   * Creates the pool.
   *
   * @param nanoTime a clock such as {@link System#nanoTime}
   */
  public WarmKernels(KernelEngine engine, Limits limits, LongSupplier nanoTime) {
    this.engine = engine;
    this.limits = limits;
    this.nanoTime = nanoTime;
  }

  @Override
  public CompletionStage<Kernel> launch(Path workspace) {
    if (limits.perWorkspace() == 0 || !engine.status().available()) {
      return engine.launch(workspace);
    }
    Optional<Kernel> ready = take(workspace);
    if (ready.isPresent()) {
      refill(workspace);
      return CompletableFuture.completedStage(ready.orElseThrow());
    }
    CompletionStage<Kernel> launched = engine.launch(workspace);
    launched.thenRun(() -> refill(workspace)); // after it: who waits comes first
    return launched;
  }

  private Optional<Kernel> take(Path workspace) {
    List<Kernel> dead = new ArrayList<>();
    Optional<Kernel> found = Optional.empty();
    synchronized (lock) {
      Shelf shelf = shelves.computeIfAbsent(workspace, path -> new Shelf());
      shelf.lastUsed = nanoTime.getAsLong();
      while (found.isEmpty() && !shelf.ready.isEmpty()) {
        Kernel kernel = shelf.ready.remove().kernel();
        total--;
        if (kernel.isAlive()) {
          found = Optional.of(kernel);
        } else {
          dead.add(kernel);
        }
      }
    }
    dead.forEach(Kernel::close);
    return found;
  }

  private void refill(Path workspace) {
    synchronized (lock) {
      Shelf shelf = shelves.get(workspace);
      if (closed
          || shelf == null
          || shelf.ready.size() + shelf.coming >= limits.perWorkspace()
          || total >= limits.total()
          || !fits(total + 1)) {
        return;
      }
      shelf.coming++;
      total++;
    }
    engine.launch(workspace).whenComplete((kernel, failure) -> arrived(workspace, kernel));
  }

  /** Before the first is known, only one is made. */
  @GuardedBy("lock") private boolean fits(int count) {
    return largest == 0 ? count <= 1 : count <= limits.bytes() / largest;
  }

  private void arrived(Path workspace, @Nullable Kernel kernel) {
    long bytes = kernel == null ? 0 : Math.max(1, kernel.memoryBytes());
    synchronized (lock) {
      largest = Math.max(largest, bytes);
      Shelf shelf = shelves.get(workspace);
      if (shelf != null) {
        shelf.coming--;
      }
      if (kernel != null && shelf != null && !closed && fits(total)) {
        shelf.ready.add(new Ready(kernel, nanoTime.getAsLong()));
        return;
      }
      total--;
    }
    if (kernel == null) {
      LOG.log(System.Logger.Level.DEBUG, "no kernel could be made ready");
    } else {
      kernel.close();
    }
  }

  /** Ends what is old, dead or of an unused workspace, and refills; to be called now and then. */
  public void tend() {
    List<Kernel> ended = new ArrayList<>();
    List<Path> used = new ArrayList<>();
    long oldest = nanoTime.getAsLong() - limits.maxAge().toNanos();
    synchronized (lock) {
      for (Iterator<Map.Entry<Path, Shelf>> i = shelves.entrySet().iterator(); i.hasNext(); ) {
        Map.Entry<Path, Shelf> entry = i.next();
        Shelf shelf = entry.getValue();
        boolean unused = shelf.lastUsed - oldest < 0;
        shelf.ready.removeIf(
            ready -> {
              boolean end = unused || ready.since() - oldest < 0 || !ready.kernel().isAlive();
              if (end) {
                ended.add(ready.kernel());
              }
              return end;
            });
        if (!unused) {
          used.add(entry.getKey());
        } else if (shelf.coming == 0) {
          i.remove();
        }
      }
      total -= ended.size();
    }
    ended.forEach(Kernel::close);
    used.forEach(this::refill);
  }

  /** How many kernels are ready or on their way. */
  public int size() {
    synchronized (lock) {
      return total;
    }
  }

  @Override
  public EngineStatus status() {
    return engine.status();
  }

  @Override
  public void close() {
    List<Kernel> all = new ArrayList<>();
    synchronized (lock) {
      closed = true;
      shelves.values().forEach(shelf -> shelf.ready.forEach(ready -> all.add(ready.kernel())));
      shelves.clear();
    }
    all.forEach(Kernel::close);
    engine.close();
  }
}
