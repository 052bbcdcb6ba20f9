package io.runstone.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How a group of version 2 is prepared, on plain files. */
class UnifiedHierarchyTest {
  @TempDir Path group;

  @BeforeEach
  void make() throws Exception {
    write("cgroup.controllers", "cpuset cpu io memory pids\n");
    write("cgroup.subtree_control", "");
    write("cgroup.procs", ProcessHandle.current().pid() + "\n");
    write("cgroup.events", "populated 1\n");
    Files.createDirectory(group.resolve("server"));
    write("server/cgroup.procs", "");
    write("server/cpu.weight", "100\n");
  }

  private void write(String file, String text) throws IOException {
    Files.writeString(group.resolve(file), text);
  }

  @Test
  void theServerMovesToALeaf() throws Exception {
    UnifiedHierarchy.Base base = UnifiedHierarchy.prepare(group);
    assertThat(base.directory()).isEqualTo(group);
    assertThat(base.controllers()).containsExactlyInAnyOrder("memory", "pids", "cpu");
    assertThat(group.resolve("server/cgroup.procs"))
        .content()
        .startsWith(Long.toString(ProcessHandle.current().pid()));
    assertThat(group.resolve("cgroup.subtree_control")).hasContent("+cpu +memory +pids");
    assertThat(group.resolve("server/cpu.weight")).content().startsWith("1000");
  }

  @Test
  void aServerThatHasMovedUsesTheGroupAbove() throws Exception {
    write("cgroup.subtree_control", "cpu memory pids\n");
    write("server/cgroup.controllers", "cpu memory pids\n");
    assertThat(UnifiedHierarchy.prepare(group.resolve("server")).directory()).isEqualTo(group);
    assertThat(group.resolve("server/cgroup.procs")).isEmptyFile();
    assertThat(group.resolve("cgroup.subtree_control")).hasContent("cpu memory pids");
  }

  @Test
  void inTheRootNothingMoves() throws Exception {
    Files.delete(group.resolve("cgroup.events"));
    UnifiedHierarchy.prepare(group);
    assertThat(group.resolve("server/cgroup.procs")).isEmptyFile();
    assertThat(group.resolve("cgroup.subtree_control")).hasContent("+cpu +memory +pids");
  }

  @Test
  void withoutACpuControllerTheOthersAreUsed() throws Exception {
    write("cgroup.controllers", "memory pids\n");
    assertThat(UnifiedHierarchy.prepare(group).controllers())
        .containsExactlyInAnyOrder("memory", "pids");
  }

  @Test
  void withoutAMemoryControllerItIsNotUsed() throws Exception {
    write("cgroup.controllers", "hugetlb\n");
    assertThatThrownBy(() -> UnifiedHierarchy.prepare(group)).hasMessageContaining("memory");
  }

  @Test
  void otherProgramsAreLeftAlone() throws Exception {
    write("cgroup.procs", ProcessHandle.current().pid() + "\n2147483000\n");
    assertThatThrownBy(() -> UnifiedHierarchy.prepare(group))
        .hasMessageContaining("other programs");
    assertThat(group.resolve("server/cgroup.procs")).isEmptyFile();
    assertThat(group.resolve("cgroup.subtree_control")).isEmptyFile();
  }
}
