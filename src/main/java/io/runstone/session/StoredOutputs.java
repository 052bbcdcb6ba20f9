package io.runstone.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.runstone.config.Settings;
import io.runstone.kernel.ExecutionId;
import io.runstone.kernel.ExecutionResult;
import io.runstone.security.UserId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Keeps the rich outputs and the whole streams of past executions for their users, as long as there
 * is room; the oldest execution goes first. Thread-safe; files are deleted outside of its lock.
 */
final class StoredOutputs implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(StoredOutputs.class.getName());

  private record Key(UserId user, ExecutionId execution) {}

  private record Stored(List<StoredOutput> outputs) {
    long memory() {
      return outputs.stream()
          .filter(StoredOutput.InMemory.class::isInstance)
          .mapToLong(StoredOutput::size)
          .sum();
    }

    long disk() {
      return outputs.stream()
          .filter(StoredOutput.OnDisk.class::isInstance)
          .mapToLong(StoredOutput::size)
          .sum();
    }
  }

  private final Settings.Outputs limits;
  private final Object lock = new Object();

  @GuardedBy("lock") private final Map<Key, Stored> executions = new LinkedHashMap<>();

  @GuardedBy("lock") private long memory;

  @GuardedBy("lock") private long disk;

  StoredOutputs(Settings.Outputs limits) {
    this.limits = limits;
  }

  /** Keeps what is worth a link, see {@link OutputLink#of}. */
  void store(UserId user, ExecutionResult result) {
    List<StoredOutput> outputs = StoredOutput.of(result);
    if (!outputs.isEmpty()) {
      keep(new Key(user, result.id()), new Stored(List.copyOf(outputs)));
    }
  }

  private void keep(Key key, Stored stored) {
    List<Stored> evicted = new ArrayList<>();
    synchronized (lock) {
      executions.put(key, stored);
      memory += stored.memory();
      disk += stored.disk();
      Iterator<Stored> oldest = executions.values().iterator();
      while (oldest.hasNext()
          && (memory > limits.storedBytes() || disk > limits.storedFileBytes())) {
        Stored next = oldest.next();
        oldest.remove();
        memory -= next.memory();
        disk -= next.disk();
        evicted.add(next);
      }
    }
    evicted.forEach(StoredOutputs::delete);
  }

  /** Finds an output of this user; somebody else's is as unknown as one that was evicted. */
  Optional<StoredOutput> find(UserId user, ExecutionId execution, int number) {
    synchronized (lock) {
      return Optional.ofNullable(executions.get(new Key(user, execution)))
          .map(Stored::outputs)
          .filter(outputs -> number >= 0 && number < outputs.size())
          .map(outputs -> outputs.get(number));
    }
  }

  /** The links to what is kept of a user, newest execution first. */
  List<OutputLink> links(UserId user) {
    List<OutputLink> links = new ArrayList<>();
    synchronized (lock) {
      executions.forEach(
          (key, stored) -> {
            if (key.user().equals(user)) {
              links.addAll(0, OutputLink.of(key.execution(), stored.outputs()));
            }
          });
    }
    return links;
  }

  private static void delete(Stored stored) {
    for (StoredOutput output : stored.outputs()) {
      if (output instanceof StoredOutput.OnDisk file) {
        delete(file.path());
      }
    }
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      LOG.log(System.Logger.Level.WARNING, "{0}: could not be deleted", file);
    }
  }

  @Override
  public void close() {
    List<Stored> all;
    synchronized (lock) {
      all = List.copyOf(executions.values());
      executions.clear();
      memory = 0;
      disk = 0;
    }
    all.forEach(StoredOutputs::delete);
  }
}
