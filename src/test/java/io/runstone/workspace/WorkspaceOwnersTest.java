package io.runstone.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkspaceOwnersTest {
  @TempDir Path directory;

  private WorkspaceOwners owners(int count) {
    return new WorkspaceOwners(directory.resolve("owners"), 60_800, count);
  }

  private static long of(WorkspaceOwners owners, String workspace) {
    try {
      return owners.of(workspace);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void eachHasItsOwnAndKeepsIt() {
    assertThat(of(owners(10), "a")).isEqualTo(60_800);
    assertThat(of(owners(10), "b")).isEqualTo(60_801);
    assertThat(of(owners(10), "a")).isEqualTo(60_800);
  }

  @Test
  void thoseMadeAtOnceDontShare() throws Exception {
    WorkspaceOwners owners = owners(50);
    List<Long> all = IntStream.range(0, 50).parallel().mapToObj(i -> of(owners, "w" + i)).toList();
    assertThat(all).doesNotHaveDuplicates();
    List<Long> same = IntStream.range(0, 50).parallel().mapToObj(i -> of(owners, "w7")).toList();
    assertThat(same).containsOnly(all.get(7));
    try (var files = Files.list(directory.resolve("owners"))) {
      assertThat(files).hasSize(50);
    }
  }

  @Test
  void whenAllAreTakenTheCureIsTold() throws Exception {
    of(owners(1), "a");
    assertThatThrownBy(() -> owners(1).of("b")).hasMessageContaining("runstone.sandbox.uids");
  }
}
