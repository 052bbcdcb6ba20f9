package io.runstone.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is handed to bwrap, to the shell and to launcher.py. */
class LaunchRenderingTest {
  private static final List<ViewStep> STEPS =
      List.of(
          new ViewStep.Bind(Path.of("/usr"), Path.of("/usr"), false),
          new ViewStep.Link(Path.of("/bin"), Path.of("usr/bin")),
          new ViewStep.Text(Path.of("/etc/passwd"), "x\n"),
          new ViewStep.Text(Path.of("/etc/group"), "y\n"),
          new ViewStep.Processes(Path.of("/proc")),
          new ViewStep.Devices(Path.of("/dev")),
          new ViewStep.Memory(Path.of("/tmp"), 4096, "1777"),
          new ViewStep.Bind(Path.of("/app/uploads"), Path.of("/w"), true),
          new ViewStep.Freeze(Path.of("/")));
  private static final LaunchCommand.Tools TOOLS =
      new LaunchCommand.Tools(
          Path.of("/bin/sh"),
          Path.of("/bin/bwrap"),
          Path.of("/bin/setpriv"),
          Path.of("/bin/unshare"),
          "/bin");
  private static final List<Path> FILES =
      List.of(Path.of("/r/a"), Path.of("/r/b"), Path.of("/r/p"), Path.of("/r/g"));

  private static final List<Path> GROUPS =
      List.of(Path.of("/c/memory/g/cgroup.procs"), Path.of("/c/pids/g/cgroup.procs"));

  private static LaunchCommand bubblewrap(List<Long> drop, List<Staging.Move> moves) {
    return LaunchCommand.bubblewrap(
        new LaunchMark("m"), TOOLS, drop, moves, FILES, List.of(), Policies.SYSTEM);
  }

  @Test
  void bubblewrapGetsEveryStep() {
    List<String> arguments =
        BubblewrapArguments.render(STEPS, Map.of("A", "b c"), Path.of("/app/uploads"));
    assertThat(String.join(" ", arguments))
        .startsWith("--unshare-user ")
        .contains("--die-with-parent", "--as-pid-1", "--disable-userns", "--cap-drop ALL")
        .endsWith(
            "--ro-bind /usr /usr --symlink usr/bin /bin --perms 0644 --file 5 /etc/passwd"
                + " --perms 0644 --file 6 /etc/group --proc /proc --dev /dev --perms 1777"
                + " --size 4096 --tmpfs /tmp --bind /w /app/uploads --remount-ro / --clearenv"
                + " --setenv A b c --chdir /app/uploads --seccomp 4");
    assertThat(BubblewrapArguments.bytes(List.of("a", "ü")))
        .isEqualTo("a\0ü\0".getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void commandOfAnOrdinaryUserGoesStraightToBubblewrap() {
    assertThat(bubblewrap(List.of(), List.of()).words())
        .containsExactly(
            "/bin/sh",
            "-c",
            "exec 3<\"$1\" 4<\"$2\" 5<\"$3\" 6<\"$4\"; shift 4; exec \"$@\"",
            "sh",
            "/r/a",
            "/r/b",
            "/r/p",
            "/r/g",
            "/bin/bwrap",
            "--args",
            "3",
            "--",
            "/usr/bin/python3",
            "-I",
            "-S",
            "/opt/runstone/supervisor.py");
    assertThat(bubblewrap(List.of(), List.of()).environment())
        .isEqualTo(Map.of("PATH", "/bin", "RUNSTONE_LAUNCH", "m"));
  }

  @Test
  void commandOfRootStagesThenDrops() {
    List<Staging.Move> moves = List.of(new Staging.Move(Path.of("/w"), Path.of("/sys/workspace")));
    assertThat(String.join(" ", bubblewrap(List.of(7L, 8L), moves).words()))
        .containsSubsequence(
            "/bin/unshare --mount --propagation private -- /bin/sh -ec",
            "sh /w /sys/workspace -- /bin/setpriv --reuid 7 --regid 8 --clear-groups"
                + " --no-new-privs -- /bin/bwrap");
  }

  @Test
  void bubblewrapIsStartedInControlGroups() {
    LaunchCommand command =
        LaunchCommand.bubblewrap(
            new LaunchMark("m"), TOOLS, List.of(), List.of(), FILES, GROUPS, Policies.SYSTEM);
    assertThat(command.words())
        .startsWith(
            "/bin/sh",
            "-c",
            "while [ \"$1\" != -- ]; do echo $$ >\"$1\" || exit 71; shift; done; shift;"
                + " exec 3<\"$1\" 4<\"$2\" 5<\"$3\" 6<\"$4\"; shift 4; exec \"$@\"",
            "sh",
            "/c/memory/g/cgroup.procs",
            "/c/pids/g/cgroup.procs",
            "--",
            "/r/a");
  }

  @Test
  void launcherIsStartedInControlGroupsWithItsEnvironmentOnly() {
    LaunchCommand command = LaunchCommand.launcher(Policies.OWN, Map.of("A", "b c"), plan(""));
    assertThat(command.in(List.of(), Path.of("/bin/sh"), Path.of("/bin/env"))).isEqualTo(command);
    LaunchCommand joining = command.in(GROUPS, Path.of("/bin/sh"), Path.of("/bin/env"));
    assertThat(joining.words())
        .containsExactly(
            "/bin/sh",
            "-c",
            "while [ \"$1\" != -- ]; do echo $$ >\"$1\" || exit 71; shift; done; shift; exec \"$@\"",
            "sh",
            "/c/memory/g/cgroup.procs",
            "/c/pids/g/cgroup.procs",
            "--",
            "/bin/env",
            "-i",
            "A=b c",
            "/opt/py/bin/python",
            "-I",
            "-S",
            "launcher.py");
    assertThat(joining.environment()).isEmpty();
    assertThat(joining.plan()).isEqualTo(command.plan());
  }

  @Test
  void launcherIsNamedWithoutItsDirectory() {
    LauncherPlan plan = plan("");
    LaunchCommand command = LaunchCommand.launcher(Policies.OWN, Map.of("A", "b"), plan);
    assertThat(command.words()).containsExactly("/opt/py/bin/python", "-I", "-S", "launcher.py");
    assertThat(command.environment()).containsExactly(Map.entry("A", "b"));
    assertThat(command.plan()).isEqualTo(Optional.of(plan));
  }

  @Test
  void planIsOneFrameOfJson() {
    ByteBuffer frame = ByteBuffer.wrap(plan("Zm9v").frame());
    byte[] body = new byte[frame.getInt()];
    frame.get(body);
    assertThat(frame.hasRemaining()).isFalse();
    assertThat(new String(body, StandardCharsets.UTF_8))
        .isEqualTo(
            "{\"level\":\"namespaces\",\"parent\":9,\"drop\":[7,8],"
                + "\"stage\":[[\"/w\",\"/sys/workspace\"]],"
                + "\"steps\":[[\"ro-bind\",\"/usr\",\"/usr\"],[\"symlink\",\"/bin\",\"usr/bin\"],"
                + "[\"text\",\"/etc/passwd\",\"x\\u000a\"],[\"text\",\"/etc/group\",\"y\\u000a\"],"
                + "[\"proc\",\"/proc\"],[\"dev\",\"/dev\"],[\"tmpfs\",\"/tmp\",4096,\"1777\"],"
                + "[\"bind\",\"/app/uploads\",\"/w\"],[\"freeze\",\"/\"]],"
                + "\"hostname\":\"runstone\",\"uid\":1000,\"gid\":1000,\"seccomp\":\"Zm9v\","
                + "\"directory\":\"/app/uploads\",\"program\":\"/p.py\"}");
  }

  private static LauncherPlan plan(String filter) {
    return new LauncherPlan(
        SandboxLevel.NAMESPACES,
        9,
        List.of(7L, 8L),
        List.of(new Staging.Move(Path.of("/w"), Path.of("/sys/workspace"))),
        STEPS,
        filter,
        Path.of("/app/uploads"),
        Path.of("/p.py"));
  }

  @Test
  void jsonIsAsciiOnly() {
    assertThat(Json.text(Map.of("k", List.of("a\"\\\u00fc\ud83d\ude00", 1, 2L, true))))
        .isEqualTo("{\"k\":[\"a\\\"\\\\\\u00fc\\ud83d\\ude00\",1,2,true]}");
    assertThatThrownBy(() -> Json.text(1.5)).isInstanceOf(IllegalArgumentException.class);
  }
}
