package io.runstone.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InterpreterProbeTest {
  @TempDir Path directory;

  @BeforeEach
  void letOthersIn() throws Exception {
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private SandboxHost hostWithFirst(Path first) throws Exception {
    SandboxHost here = Sandboxes.host(directory);
    List<Path> searchPath = new ArrayList<>(here.searchPath());
    searchPath.add(0, first);
    return new SandboxHost(
        searchPath, here.serverUid(), here.sandboxUid(), here.sandboxGid(), here.runDirectory());
  }

  private Path program(String text) throws Exception {
    Path bin = Files.createDirectories(directory.resolve("bin"));
    Path program = Files.writeString(bin.resolve("python3"), "#!/bin/sh\n" + text + "\n");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    return program;
  }

  @Test
  void findsOneHere() throws Exception {
    Interpreter found = InterpreterProbe.find(Sandboxes.host(directory), Optional.empty());
    assertThat(found.executable()).isAbsolute().exists();
    assertThat(found.version()).matches("3\\.\\d+\\.\\d+");
  }

  @Test
  void goesOnBehindABrokenShim() throws Exception {
    Path shim = program("echo 'no version is set' >&2; exit 127");
    Interpreter found =
        InterpreterProbe.find(hostWithFirst(directory.resolve("bin")), Optional.empty());
    assertThat(found.executable()).isNotEqualTo(shim);
  }

  @Test
  void aShimIsReplacedByTheRealProgram() throws Exception {
    Interpreter real = InterpreterProbe.find(Sandboxes.host(directory), Optional.empty());
    Path shim = program("exec " + real.executable() + " \"$@\"");
    assertThat(InterpreterProbe.find(Sandboxes.host(directory), Optional.of(shim))).isEqualTo(real);
  }

  @Test
  void aPrivateDirectoryIsRefusedWithTheCure() throws Exception {
    SandboxHost host = Sandboxes.host(directory);
    Assumptions.assumeTrue(host.root(), "only root can see what the sandboxes' user cannot");
    Path program = program("exit 1");
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
    assertThatThrownBy(() -> InterpreterProbe.find(host, Optional.of(program)))
        .isInstanceOf(SandboxException.class)
        .hasMessageContaining("cannot enter " + directory.toRealPath())
        .hasMessageContaining("chmod o+x");
  }

  @Test
  void theConfiguredOneIsTheOnlyOneTried() throws Exception {
    Path broken = program("exit 3");
    assertThatThrownBy(() -> InterpreterProbe.find(Sandboxes.host(directory), Optional.of(broken)))
        .hasMessageContaining(broken + ": ended with exit 3")
        .hasMessageContaining("runstone.kernel.python");
    Path missing = directory.resolve("missing");
    assertThatThrownBy(() -> InterpreterProbe.find(Sandboxes.host(directory), Optional.of(missing)))
        .hasMessageContaining("cannot be run");
  }

  @Test
  void answersTellVersionAndPlaces() throws Exception {
    Interpreter venv =
        InterpreterAnswer.parse(
            List.of(
                "3.12.1",
                "/srv/venv/bin/python",
                "/opt/py/bin/py",
                "/srv/venv",
                "/opt/py",
                "/usr"));
    assertThat(venv)
        .isEqualTo(
            new Interpreter(
                Path.of("/srv/venv/bin/python"),
                List.of(Path.of("/opt/py"), Path.of("/srv/venv")),
                "3.12.1"));
    assertThat(InterpreterAnswer.parse(List.of("3.9.0", "/b/py", "/opt/py/bin/py", "/opt/py")))
        .isEqualTo(
            new Interpreter(Path.of("/opt/py/bin/py"), List.of(Path.of("/opt/py")), "3.9.0"));
    assertRefused("not 3.9 or newer", "3.8.10", "/usr/bin/python3", "/usr/bin/python3", "/usr");
    assertRefused("not a Python", "3.11.0", "", "", "/usr");
    assertRefused("not a Python");
    assertRefused("shows too much", "3.11.0", "/opt/bin/python3", "/opt/bin/python3", "/opt");
    assertRefused(
        "another place",
        "3.11.0",
        "/opt/runstone/py/python3",
        "/opt/runstone/py/python3",
        "/opt/runstone/py");
  }

  private static void assertRefused(String reason, String... lines) {
    assertThatThrownBy(() -> InterpreterAnswer.parse(List.of(lines))).hasMessageContaining(reason);
  }
}
