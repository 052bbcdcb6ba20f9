package io.runstone.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CgroupPlacesTest {
  @Test
  void versionTwo() {
    CgroupPlaces places =
        CgroupPlaces.parse(
            "0::/system.slice/runstone.service\n",
            "25 22 0:23 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n");
    assertThat(places.unified()).contains(Path.of("/sys/fs/cgroup/system.slice/runstone.service"));
    assertThat(places.controllers()).isEmpty();
  }

  @Test
  void versionOneWithControllersTogether() {
    CgroupPlaces places =
        CgroupPlaces.parse(
            "5:cpu,cpuacct:/\n4:memory:/a/b\n1:name=systemd:/x\n0::/\n",
            """
            40 30 0:3 / /cg/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct
            41 30 0:4 / /cg/mem\\040ory rw shared:9 - cgroup cgroup rw,memory
            42 30 0:5 / /tmp rw - tmpfs memory rw
            """);
    assertThat(places.unified()).isEmpty();
    assertThat(places.controllers())
        .isEqualTo(
            Map.of(
                "cpu", Path.of("/cg/cpu,cpuacct"),
                "cpuacct", Path.of("/cg/cpu,cpuacct"),
                "memory", Path.of("/cg/mem ory/a/b")));
  }

  /** As in a container that shares the host's control group namespace. */
  @Test
  void aPartOfTheTreeIsMounted() {
    String mounts = "41 30 0:4 /docker/c1 /cg/memory rw - cgroup cgroup rw,memory\n";
    assertThat(CgroupPlaces.parse("4:memory:/docker/c1/in\n", mounts).controllers())
        .containsEntry("memory", Path.of("/cg/memory/in"));
    assertThat(CgroupPlaces.parse("4:memory:/docker/c1\n", mounts).controllers())
        .containsEntry("memory", Path.of("/cg/memory"));
    assertThat(CgroupPlaces.parse("4:memory:/docker/other\n", mounts).controllers()).isEmpty();
    assertThat(CgroupPlaces.parse("4:memory:/docker/c1/../x\n", mounts).controllers()).isEmpty();
  }

  @Test
  void nonsenseIsNoPlace() {
    assertThat(CgroupPlaces.parse("x\n\n1:2", "a b c\n - \n").controllers()).isEmpty();
  }
}
