package io.runstone.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkspaceUsageTest {
  @TempDir Path workspace;

  @Test
  void countsBlocksOfFilesAndDirectories() throws Exception {
    long before = WorkspaceUsage.measure(workspace, 100).bytes();
    Files.createFile(workspace.resolve("empty"));
    Files.write(workspace.resolve("small"), new byte[10]);
    Files.write(workspace.resolve("large"), new byte[10_000]);
    WorkspaceUsage usage = WorkspaceUsage.measure(workspace, 100);
    assertThat(usage.bytes() - before).isEqualTo(5 * 4096);
    assertThat(usage.entries()).isEqualTo(4);
    assertThat(usage.complete()).isTrue();
  }

  @Test
  void doesNotFollowLinks(@TempDir Path other) throws Exception {
    Files.write(other.resolve("large"), new byte[1_000_000]);
    Files.createSymbolicLink(workspace.resolve("file"), other.resolve("large"));
    Files.createSymbolicLink(workspace.resolve("directory"), other);
    Files.createSymbolicLink(workspace.resolve("loop"), workspace);
    try {
      WorkspaceUsage usage = WorkspaceUsage.measure(workspace, 100);
      assertThat(usage.bytes()).isLessThan(100_000);
      assertThat(usage.complete()).isTrue();
    } finally {
      for (String name : new String[] {"file", "directory", "loop"}) {
        Files.delete(workspace.resolve(name)); // JUnit warns of links out of its directory
      }
    }
  }

  @Test
  void workIsBounded() throws Exception {
    for (int count = 0; count < 20; count++) {
      Files.createFile(workspace.resolve("f" + count));
    }
    assertThat(WorkspaceUsage.measure(workspace, 21).complete()).isTrue();
    WorkspaceUsage cut = WorkspaceUsage.measure(workspace, 20);
    assertThat(cut.complete()).isFalse();
    assertThat(cut.entries()).isEqualTo(20);
  }

  @Test
  void depthIsBounded() throws Exception {
    Files.createDirectories(workspace.resolve("d/".repeat(63)));
    assertThat(WorkspaceUsage.measure(workspace, 1000).complete()).isTrue();
    Files.createDirectories(workspace.resolve("d/".repeat(64)));
    assertThat(WorkspaceUsage.measure(workspace, 1000).complete()).isFalse();
  }

  @Test
  void whatVanishesIsNoError() throws Exception {
    AtomicBoolean stop = new AtomicBoolean();
    CompletableFuture<Void> churn =
        CompletableFuture.runAsync(
            () -> {
              while (!stop.get()) {
                churn();
              }
            });
    try {
      for (int round = 0; round < 300; round++) {
        assertThat(WorkspaceUsage.measure(workspace, 1000).complete()).isTrue();
      }
    } finally {
      stop.set(true);
      churn.join();
    }
  }

  private void churn() {
    try {
      for (int count = 0; count < 20; count++) {
        Path directory = Files.createDirectory(workspace.resolve("v" + count));
        Files.createFile(directory.resolve("f"));
      }
      for (int count = 0; count < 20; count++) {
        Files.delete(workspace.resolve("v" + count).resolve("f"));
        Files.delete(workspace.resolve("v" + count));
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void onlyADirectoryIsMeasured() throws Exception {
    Path file = Files.createFile(workspace.resolve("f"));
    assertThatThrownBy(() -> WorkspaceUsage.measure(file, 1)).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> WorkspaceUsage.measure(workspace.resolve("no"), 1))
        .isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void freeSpaceIsThatOfTheFileSystem() throws Exception {
    assertThat(WorkspaceUsage.freeBytes(workspace)).isPositive();
    assertThatThrownBy(() -> WorkspaceUsage.freeBytes(workspace.resolve("no")))
        .isInstanceOf(NoSuchFileException.class);
  }
}
