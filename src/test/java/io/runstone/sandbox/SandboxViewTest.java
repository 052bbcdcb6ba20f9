package io.runstone.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class SandboxViewTest {
  @Test
  void onlyTheWorkspaceIsWritable() {
    assertThat(SandboxView.steps(Policies.policy(Policies.OWN), Policies.FILES))
        .filteredOn(step -> step instanceof ViewStep.Bind bind && bind.writable())
        .containsExactly(new ViewStep.Bind(SandboxView.WORKSPACE, Path.of("/srv/work"), true));
  }

  @Test
  void theRootIsFrozenLast() {
    var steps = SandboxView.steps(Policies.policy(Policies.OWN), Policies.FILES);
    assertThat(steps).last().isEqualTo(new ViewStep.Freeze(Path.of("/")));
    assertThat(steps)
        .contains(
            new ViewStep.Bind(Path.of("/opt/py"), Path.of("/opt/py"), false),
            new ViewStep.Bind(SandboxView.RUNNER, Path.of("/srv/runner"), false),
            new ViewStep.Bind(Path.of("/proc/keys"), Path.of("/dev/null"), false),
            new ViewStep.Memory(Path.of("/tmp"), 65536, "1777"));
  }

  @Test
  void environmentIsFixedButForThePolicys() {
    assertThat(SandboxView.environment(Policies.policy(Policies.SYSTEM)))
        .containsEntry("PATH", "/usr/local/bin:/usr/bin:/bin")
        .containsEntry("HOME", "/home/runstone")
        .containsEntry("TZ", "UTC")
        .containsOnlyKeys("PATH", "HOME", "PWD", "USER", "LOGNAME", "LANG", "TZ");
    assertThat(SandboxView.environment(Policies.policy(Policies.OWN)))
        .containsEntry("PATH", "/opt/py/bin:/usr/local/bin:/usr/bin:/bin");
  }

  @Test
  void looksAtThisHost() throws Exception {
    HostFiles files = HostFiles.look();
    assertThat(files.readable()).contains(Path.of("/usr")).allMatch(Path::isAbsolute);
    assertThat(files.readOnlyProc()).contains(Path.of("/proc/sys"));
    assertThat(files.readable()).noneMatch(path -> path.equals(Path.of("/etc")));
  }
}
