package io.runstone.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** What is written to, and read from, the files of a control group. */
class CgroupRenderingTest {
  private static final ResourceLimits LIMITS =
      new ResourceLimits(OptionalLong.of(1L << 30), OptionalInt.of(20), 250);

  private static List<String> text(List<CgroupWrite> writes) {
    return writes.stream().map(write -> write.file() + "=" + write.value()).toList();
  }

  @Test
  void limitsOfVersionTwo() {
    assertThat(text(CgroupWrite.v2(LIMITS)))
        .containsExactly(
            "memory.max=1073741824",
            "memory.swap.max=0",
            "memory.oom.group=0",
            "pids.max=21",
            "cpu.weight=250");
    assertThat(text(CgroupWrite.v2(ResourceLimits.NONE))).containsExactly("cpu.weight=100");
  }

  @Test
  void limitsOfVersionOne() {
    assertThat(text(CgroupWrite.v1(LIMITS)))
        .containsExactly(
            "memory.limit_in_bytes=1073741824",
            "memory.memsw.limit_in_bytes=1073741824",
            "pids.max=21",
            "cpu.shares=2560");
    assertThat(text(CgroupWrite.v1(ResourceLimits.NONE))).containsExactly("cpu.shares=1024");
  }

  @Test
  void usageOfVersionTwo() {
    Map<String, String> files =
        Map.of(
            "memory/cpu.stat", "usage_usec 1500\nuser_usec 1000\n",
            "memory/memory.peak", "2000\n",
            "memory/memory.current", "1000\n",
            "memory/memory.events", "low 0\noom 4\noom_kill 3\noom_group_kill 0\n",
            "pids/pids.events", "max 7\n");
    assertThat(CgroupReading.v2(source(files)))
        .isEqualTo(
            new ResourceUsage(
                Optional.of(Duration.ofNanos(1_500_000)),
                OptionalLong.of(2000),
                OptionalLong.of(1000),
                3,
                7));
  }

  @Test
  void usageOfVersionOne() {
    Map<String, String> files =
        Map.of(
            "cpuacct/cpuacct.usage", "1500000\n",
            "memory/memory.max_usage_in_bytes", "2000\n",
            "memory/memory.usage_in_bytes", "1000\n",
            "memory/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 3\n",
            "pids/pids.events", "max 7\n");
    assertThat(CgroupReading.v1(source(files)))
        .isEqualTo(
            new ResourceUsage(
                Optional.of(Duration.ofNanos(1_500_000)),
                OptionalLong.of(2000),
                OptionalLong.of(1000),
                3,
                7));
  }

  @Test
  void whatAKernelDoesNotTellIsUnknown() {
    assertThat(CgroupReading.v1(source(Map.of()))).isEqualTo(ResourceUsage.UNKNOWN);
    assertThat(CgroupReading.v2(source(Map.of("memory/memory.peak", "max\n"))))
        .isEqualTo(ResourceUsage.UNKNOWN);
  }

  @Test
  void limitsHaveBounds() {
    assertThatThrownBy(() -> new ResourceLimits(OptionalLong.of(1), OptionalInt.empty(), 100))
        .hasMessageContaining("memoryBytes");
    assertThatThrownBy(() -> new ResourceLimits(OptionalLong.empty(), OptionalInt.of(0), 100))
        .hasMessageContaining("processes");
    assertThatThrownBy(() -> new ResourceLimits(OptionalLong.empty(), OptionalInt.empty(), 10_001))
        .hasMessageContaining("cpuWeight");
  }

  private static CgroupReading.Source source(Map<String, String> files) {
    return (controller, file) -> Optional.ofNullable(files.get(controller + "/" + file));
  }
}
