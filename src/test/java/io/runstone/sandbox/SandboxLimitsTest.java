package io.runstone.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Limits of issue 3 on real control groups, at every level. */
@ParameterizedClass
@EnumSource(SandboxLevel.class)
class SandboxLimitsTest {
  private static final long MIB = 1 << 20;

  private final SandboxLevel level;
  private final Sandboxes sandboxes;

  SandboxLimitsTest(SandboxLevel level, @TempDir Path directory) throws Exception {
    this.level = level;
    this.sandboxes = new Sandboxes(directory, level);
    sandboxes.requireGroups();
  }

  @AfterEach
  void close() throws Exception {
    sandboxes.close();
    assertThat(groups()).isEmpty();
  }

  /** The groups of this process's sandboxes. */
  private static List<Path> groups() throws IOException {
    return groups("runstone-" + ProcessHandle.current().pid() + "-");
  }

  /** Groups beside or below this process's, whose name starts like that. */
  static List<Path> groups(String prefix) throws IOException {
    CgroupPlaces places = CgroupPlaces.ofThisProcess();
    List<Path> bases = new ArrayList<>(places.controllers().values());
    places.unified().ifPresent(bases::add);
    places.unified().map(Path::getParent).ifPresent(bases::add);
    List<Path> found = new ArrayList<>();
    for (Path base : bases) {
      try (Stream<Path> entries = Files.list(base)) {
        entries
            .filter(entry -> String.valueOf(entry.getFileName()).startsWith(prefix))
            .forEach(found::add);
      }
    }
    return found;
  }

  private static ResourceLimits limits(long memory, int processes) {
    return new ResourceLimits(OptionalLong.of(memory), OptionalInt.of(processes), 100);
  }

  /** The weight itself shows only on a machine with nothing else to do. */
  @Test
  void limitsAreSetBeforeTheProgramRuns() throws Exception {
    SandboxPolicy policy =
        sandboxes.policy(
            "os.write(1, b'1')\nos.read(0, 1)\n",
            new ResourceLimits(OptionalLong.of(64 * MIB), OptionalInt.of(32), 250));
    try (SandboxProcess process = sandboxes.start(policy)) {
      assertThat(process.output().read()).isEqualTo('1');
      assertThat(values("memory.max", "memory.limit_in_bytes")).containsOnly("67108864");
      assertThat(values("pids.max")).containsOnly("33");
      assertThat(values("cpu.weight", "cpu.shares")).containsAnyOf("250", "2560");
      for (Path group : groups()) {
        assertThat(group.resolve("cgroup.procs")).content().contains(process.pid() + "\n");
      }
    }
  }

  private static List<String> values(String... files) throws IOException {
    List<String> values = new ArrayList<>();
    for (Path group : groups()) {
      for (String file : files) {
        if (Files.exists(group.resolve(file))) {
          values.add(Files.readString(group.resolve(file)).strip());
        }
      }
    }
    return values;
  }

  @Test
  void aMemoryBombIsKilledAtTheLimit() throws Exception {
    SandboxPolicy policy =
        sandboxes.policy(
            """
            if os.fork() == 0:
                open("/proc/self/oom_score_adj", "w").write("1000")
                kept = []
                while True:
                    kept.append(b"x" * (1 << 20))
            print("worker=" + str(os.wait()[1]), flush=True)
            os.read(0, 1)
            """,
            limits(64 * MIB, 32));
    try (SandboxProcess process = sandboxes.start(policy)) {
      byte[] line = process.output().readNBytes("worker=9\n".length());
      assertThat(new String(line, StandardCharsets.UTF_8)).isEqualTo("worker=9\n");
      ResourceUsage usage = process.usage();
      assertThat(usage.oomKills()).isEqualTo(1);
      assertThat(usage.peakMemoryBytes().orElseThrow()).isBetween(32 * MIB, 64 * MIB);
      assertThat(usage.memoryBytes().orElseThrow()).isLessThan(48 * MIB);
      assertThat(process.isAlive()).isTrue();
    }
  }

  @Test
  void usageIsKnownAfterTheEnd() throws Exception {
    SandboxPolicy policy = sandboxes.policy("x = bytearray(256 << 20)\n", limits(64 * MIB, 32));
    SandboxProcess process = sandboxes.start(policy);
    assertThat(Sandboxes.exit(process)).isEqualTo(128 + 9);
    assertThat(process.usage().oomKills()).isPositive();
    process.close();
    assertThat(HostProcesses.within(Duration.ofSeconds(1), SandboxLimitsTest::noGroups)).isTrue();
    assertThat(process.usage().oomKills()).isPositive();
    assertThat(process.usage().cpuTime().orElseThrow()).isPositive();
    assertThat(process.resetPeak()).isFalse();
  }

  private static boolean noGroups() {
    try {
      return groups().isEmpty();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void filesInMemoryCount() throws Exception {
    Path tmp = Path.of("/dev/shm");
    SandboxPolicy any =
        sandboxes.policy(
            """
            with open("%s/runstone-limits-test", "wb") as file:
                os.unlink(file.name)
                for _ in range(96):
                    file.write(b"x" * (1 << 20))
            """
                .formatted(tmp),
            limits(64 * MIB, 32));
    SandboxPolicy policy =
        new SandboxPolicy(
            any.interpreter(),
            any.runnerDirectory(),
            any.workspace(),
            any.environment(),
            128 * MIB,
            any.limits());
    try (SandboxProcess process = sandboxes.start(policy)) {
      assertThat(Sandboxes.exit(process)).isEqualTo(128 + 9);
      assertThat(process.usage().oomKills()).isPositive();
    }
  }

  @Test
  void processesAreBounded() throws Exception {
    SandboxPolicy policy =
        sandboxes.policy(
            """
            count = 1
            try:
                while count < 100:
                    if os.fork() == 0:
                        signal.pause()
                    count += 1
            except OSError as error:
                print(errno.errorcode[error.errno] + " " + str(count), flush=True)
            os.read(0, 1)
            """,
            limits(256 * MIB, 12));
    try (SandboxProcess process = sandboxes.start(policy)) {
      byte[] line = process.output().readNBytes("EAGAIN 12\n".length());
      assertThat(new String(line, StandardCharsets.UTF_8)).isEqualTo("EAGAIN 12\n");
      assertThat(process.usage().refusedForks()).isPositive();
    }
  }

  @Test
  void usageIsPlausible() throws Exception {
    SandboxPolicy policy =
        sandboxes.policy(
            """
            import time
            x = bytearray(40 << 20)
            del x
            while time.process_time() < 0.3:
                pass
            os.write(1, b"1")
            os.read(0, 1)
            """,
            limits(256 * MIB, 32));
    try (SandboxProcess process = sandboxes.start(policy)) {
      assertThat(process.output().read()).isEqualTo('1');
      ResourceUsage usage = process.usage();
      assertThat(usage.cpuTime().orElseThrow())
          .isBetween(Duration.ofMillis(300), Duration.ofSeconds(10));
      assertThat(usage.peakMemoryBytes().orElseThrow()).isBetween(40 * MIB, 100 * MIB);
      assertThat(usage.memoryBytes().orElseThrow()).isBetween(MIB, 40 * MIB);
      assertThat(usage.oomKills()).isZero();
      assertThat(usage.refusedForks()).isZero();
      if (process.resetPeak()) {
        assertThat(process.usage().peakMemoryBytes().orElseThrow()).isBetween(MIB, 40 * MIB);
      } else {
        assertThat(sandboxes.launcher().limits().level()).isEqualTo(LimitLevel.CGROUP_V2);
      }
    }
  }

  @Test
  void theProgramCannotTouchItsLimits() throws Exception {
    Sandboxes.Outcome outcome =
        sandboxes.run(
            sandboxes.policy(
                """
                for place in ("/sys/fs/cgroup", "/sys", "/sys/fs"):
                    attempt(place, lambda: os.listdir(place))
                attempt("mount1", lambda: call(
                    libc.mount(b"none", b"/tmp", b"cgroup", 0, b"memory")))
                attempt("mount2", lambda: call(libc.mount(b"none", b"/tmp", b"cgroup2", 0, None)))
                attempt("unshare", lambda: call(libc.unshare(0x2000000)))
                print("mounts=" + str(open("/proc/self/mountinfo").read().count(" - cgroup")))
                print("groups=" + ",".join(sorted({
                    line.rstrip().split(":", 2)[2] for line in open("/proc/self/cgroup")})))
                """,
                limits(256 * MIB, 32)));
    assertThat(outcome.exit()).as("%s", outcome).isZero();
    assertThat(outcome.fact("mount1")).isIn("EPERM", "EACCES");
    assertThat(outcome.fact("mount2")).isIn("EPERM", "EACCES");
    assertThat(outcome.fact("unshare")).isEqualTo("EPERM");
    if (level != SandboxLevel.NONE) {
      assertThat(outcome.fact("/sys/fs/cgroup")).isEqualTo("ENOENT");
      assertThat(outcome.fact("/sys")).isEqualTo("ENOENT");
      assertThat(outcome.fact("mounts")).isEqualTo("0");
      assertThat(outcome.fact("groups")).doesNotContain("runstone-");
    }
  }

  /** Without a namespace the files are seen; as they are root's they cannot be written. */
  @Test
  void theFilesOfItsGroupAreNotItsOwn() throws Exception {
    SandboxPolicy policy =
        sandboxes.policy("os.write(1, b'1')\nos.read(0, 1)\n", limits(256 * MIB, 32));
    try (SandboxProcess process = sandboxes.start(policy)) {
      assertThat(process.output().read()).isEqualTo('1');
      assertThat(groups()).isNotEmpty();
      for (Path group : groups()) {
        assertThat(Files.getAttribute(group, "unix:uid"))
            .isEqualTo(Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
        assertThat(Files.getPosixFilePermissions(group.resolve("cgroup.procs")).toString())
            .doesNotContain("OTHERS_WRITE");
      }
    }
  }

  @Test
  void theSumOverTheProcessTreeIsPlausible() throws Exception {
    SandboxPolicy policy =
        sandboxes.policy(
            """
            shared = bytearray(b"x" * (30 << 20))
            for _ in range(2):
                if os.fork() == 0:
                    own = bytearray(b"y" * (10 << 20))
                    os.write(1, b"1")
                    signal.pause()
            os.read(0, 1)
            """,
            limits(256 * MIB, 32));
    try (SandboxProcess process = sandboxes.start(policy)) {
      assertThat(process.output().readNBytes(2)).hasSize(2);
      assertThat(ProcessMemory.now().sum(process.pid())).isBetween(50 * MIB, 90 * MIB);
      assertThat(ProcessMemory.now().residentSum(process.pid())).isBetween(110 * MIB, 180 * MIB);
    }
  }
}
