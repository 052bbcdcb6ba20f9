package io.runstone.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Groups are made, and never left behind. */
@Timeout(60)
class ControlGroupsTest {
  @TempDir Path directory;

  /** The server that gets killed while a process outlives it in its group. */
  static final class Server {
    private Server() {}

    public static void main(String[] arguments) throws Exception {
      ControlGroups groups = ControlGroupProbe.find(Sandboxes.host(Path.of(arguments[0])));
      ControlGroup group = groups.create(ResourceLimits.NONE).orElseThrow();
      Path shell = Path.of("/bin/sh");
      Process survivor =
          new ProcessBuilder(
                  LaunchCommand.joined(shell, group.entrances(), "echo 1; exec sleep 86400"))
              .start();
      survivor.getInputStream().read();
      System.out.println(group.name() + " " + survivor.pid());
      System.out.flush();
      new CountDownLatch(1).await();
    }
  }

  private static Process server(Path directory) throws Exception {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            Server.class.getName(),
            directory.toString())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  @Test
  void theNextStartRemovesWhatAKilledServerLeft() throws Exception {
    try (Sandboxes sandboxes = new Sandboxes(directory, SandboxLevel.NONE)) {
      sandboxes.requireGroups();
    }
    Process server = server(directory);
    long survivor;
    String group;
    try (BufferedReader reader = server.inputReader()) {
      String[] told = reader.readLine().split(" ", 2);
      group = told[0];
      survivor = Long.parseLong(told[1]);
    } finally {
      server.destroyForcibly();
    }
    assertThat(server.waitFor(10, TimeUnit.SECONDS)).isTrue();
    assertThat(ProcessHandle.of(survivor)).isPresent();
    assertThat(groups(group)).isNotEmpty();
    try (Sandboxes next = new Sandboxes(directory, SandboxLevel.NONE)) {
      assertThat(HostProcesses.within(Duration.ofSeconds(2), () -> groups(group).isEmpty()))
          .isTrue();
      assertThat(next.launcher().limits().groups()).isTrue();
    }
    assertThat(
            HostProcesses.within(Duration.ofSeconds(2), () -> ProcessHandle.of(survivor).isEmpty()))
        .isTrue();
  }

  private static List<Path> groups(String name) {
    try {
      return SandboxLimitsTest.groups(name);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aNumberThatIsTakenIsPassedOver() throws Exception {
    Path base = Files.createDirectory(directory.resolve("base"));
    ControlGroups first = fake(base);
    ControlGroups second = fake(base);
    List<String> names =
        List.of(
            first.create(NOTHING).orElseThrow().name(),
            second.create(NOTHING).orElseThrow().name());
    String prefix = "runstone-" + ProcessHandle.current().pid() + "-";
    assertThat(names).containsExactly(prefix + "0", prefix + "1");
  }

  @Test
  void onlyGroupsOfDeadServersAreLeftOvers() throws Exception {
    Path base = Files.createDirectory(directory.resolve("base"));
    String own = "runstone-" + ProcessHandle.current().pid() + "-7";
    for (String name : List.of(own, "runstone-2147483000-1", "runstone-x-1", "other", "server")) {
      Files.createDirectory(base.resolve(name));
    }
    assertThat(fake(base).removeLeftOvers()).isEmpty();
    assertThat(base.toFile().list())
        .containsExactlyInAnyOrder(own, "runstone-x-1", "other", "server");
  }

  @Test
  void withoutGroupsNothingIsMade() throws Exception {
    ControlGroups none = ControlGroups.none("why", Optional.of("cure"));
    assertThat(none.create(ResourceLimits.NONE)).isEmpty();
    assertThat(none.removeLeftOvers()).isEmpty();
    assertThat(none.status())
        .isEqualTo(new LimitStatus(LimitLevel.RLIMITS_ONLY, "why", Optional.of("cure")));
  }

  private static final ResourceLimits NOTHING = ResourceLimits.NONE;

  /** Groups of a plain directory, with the memory controller only, for which nothing is set. */
  private static ControlGroups fake(Path base) {
    return new ControlGroups(
        new LimitStatus(LimitLevel.CGROUP_V2, "", Optional.empty()),
        Map.of(CgroupWrite.MEMORY, base));
  }
}
