package io.runstone.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SandboxProbeTest {
  private static final Map<String, String> GOOD =
      Map.of(
          "pid", "1",
          "uid", "1000",
          "capabilities", "0000000000000000",
          "seccomp", "2",
          "no_new_privs", "1",
          "shadow_readable", "no",
          "settings_writable", "no",
          "settings_mounted_read_only", "yes",
          "interfaces", "lo",
          "workspace_writable", "yes");

  @TempDir Path directory;

  private SandboxStatus probe(SandboxHost host, SandboxMode mode) throws Exception {
    Interpreter interpreter = InterpreterProbe.find(host, Optional.empty());
    return new SandboxProbe(host, Thread::new).probe(mode, interpreter);
  }

  @ParameterizedTest
  @EnumSource(SandboxLevel.class)
  void findsTheLevelAndLeavesNothing(SandboxLevel level) throws Exception {
    SandboxHost host = Sandboxes.host(directory);
    Sandboxes.require(host, level);
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    SandboxStatus status = probe(host, SandboxMode.valueOf(level.name()));
    assertThat(status.level()).as("%s", status).contains(level);
    assertThat(status.detail()).startsWith(level.label());
    assertThat(status.cure().isPresent()).isEqualTo(level == SandboxLevel.NONE);
    assertThat(host.runDirectory()).isEmptyDirectory();
  }

  @Test
  void autoFallsToNamespacesWithoutBubblewrapAndTellsTheCure() throws Exception {
    SandboxHost here = Sandboxes.host(directory);
    Sandboxes.require(here, SandboxLevel.NAMESPACES);
    SandboxStatus status = probe(withOnlyPython(), SandboxMode.AUTO);
    assertThat(status.level()).as("%s", status).contains(SandboxLevel.NAMESPACES);
    assertThat(status.detail()).contains("bwrap was not found");
    assertThat(status.cure()).get().asString().contains("install bubblewrap");
  }

  @Test
  void bubblewrapOnPurposeDoesNotFallBack() throws Exception {
    SandboxStatus status = probe(withOnlyPython(), SandboxMode.BUBBLEWRAP);
    assertThat(status.level()).isEmpty();
    assertThat(status.cure()).get().asString().contains("install bubblewrap", "none");
  }

  /** A host on whose search path there is no bwrap, but a shell. */
  private SandboxHost withOnlyPython() throws Exception {
    SandboxHost here = Sandboxes.host(directory);
    Path programs = Files.createDirectories(directory.resolve("bin"));
    for (String program : List.of("sh", "setpriv")) {
      Path real = here.which(program).orElseThrow();
      Path file = programs.resolve(program);
      Files.writeString(file, "#!/bin/sh\nexec " + real + " \"$@\"\n");
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    return new SandboxHost(
        List.of(programs),
        here.serverUid(),
        here.sandboxUid(),
        here.sandboxGid(),
        here.runDirectory());
  }

  @Test
  void anUnusableRunDirectoryIsTold() throws Exception {
    SandboxHost here = Sandboxes.host(directory);
    Path file = Files.createFile(directory.resolve("file"));
    SandboxHost host =
        new SandboxHost(
            here.searchPath(),
            here.serverUid(),
            here.sandboxUid(),
            here.sandboxGid(),
            file.resolve("run"));
    SandboxStatus status = probe(host, SandboxMode.AUTO);
    assertThat(status.level()).isEmpty();
    assertThat(status.detail()).contains("cannot prepare the check");
  }

  @Test
  void everyFactCounts() {
    assertThat(new ProbeReport(GOOD).complaints(SandboxLevel.BUBBLEWRAP)).isEmpty();
    for (String name : GOOD.keySet()) {
      Map<String, String> facts = new HashMap<>(GOOD);
      facts.remove(name);
      assertThat(new ProbeReport(facts).complaints(SandboxLevel.NAMESPACES))
          .as("without %s", name)
          .isNotEmpty();
      facts.put(name, "x");
      assertThat(new ProbeReport(facts).complaints(SandboxLevel.NAMESPACES))
          .as("another %s", name)
          .isNotEmpty();
    }
  }

  @Test
  void curesFitTheReason() {
    assertThat(SandboxCure.blocked(SandboxMode.AUTO, "bwrap was not found"))
        .contains("install bubblewrap");
    assertThat(SandboxCure.blocked(SandboxMode.AUTO, "unshare: Operation not permitted"))
        .contains("AppArmor", "max_user_namespaces", "none");
    assertThat(SandboxCure.blocked(SandboxMode.AUTO, "unshare: unshare failed: Operation"))
        .contains("CAP_SYS_ADMIN", "chmod o+x");
    assertThat(SandboxCure.blocked(SandboxMode.NONE, "x")).contains("auto");
    assertThat(SandboxCure.weaker(SandboxLevel.BUBBLEWRAP, List.of())).isEmpty();
  }
}
