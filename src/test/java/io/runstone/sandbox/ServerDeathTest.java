package io.runstone.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A server that is killed, or a launch thread that ends, takes its sandboxes along. */
@Timeout(60)
class ServerDeathTest {
  private static final String DETACH =
      """
      if os.fork() == 0:
          os.setsid()
          if os.fork() != 0:
              os._exit(0)
          os.execv("/usr/bin/sleep", ["sleep", os.environ["MARK"]])
      os.write(1, b"1")
      signal.pause()
      """;

  @TempDir Path directory;

  /** The server that gets killed. */
  static final class Server {
    private Server() {}

    public static void main(String[] arguments) throws Exception {
      try (Sandboxes sandboxes =
          new Sandboxes(Path.of(arguments[0]), SandboxLevel.valueOf(arguments[1]))) {
        SandboxProcess process =
            sandboxes.start(sandboxes.policy(DETACH, Map.of("MARK", arguments[2])));
        if (process.output().read() == '1') {
          System.out.write('1');
          System.out.flush();
          new CountDownLatch(1).await();
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(SandboxLevel.class)
  void killingTheServerLeavesNothing(SandboxLevel level) throws Exception {
    Sandboxes.require(Sandboxes.host(directory), level);
    String mark = "86400." + System.nanoTime();
    Process server =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Server.class.getName(),
                directory.toString(),
                level.name(),
                mark)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      assertThat(server.getInputStream().read()).isEqualTo('1');
      assertThat(
              HostProcesses.within(
                  Duration.ofSeconds(10), () -> HostProcesses.with("sleep\0" + mark).size() == 1))
          .isTrue();
      server.destroyForcibly();
      assertThat(server.waitFor(10, TimeUnit.SECONDS)).isTrue();
      assertThat(
              HostProcesses.within(
                  Duration.ofSeconds(2),
                  () ->
                      HostProcesses.with(mark).isEmpty()
                          && HostProcesses.with(directory.toString()).isEmpty()))
          .isTrue();
      // Its control groups are for the next server to remove.
      try (Sandboxes next =
          new Sandboxes(Files.createDirectory(directory.resolve("next")), level)) {
        assertThat(HostProcesses.within(Duration.ofSeconds(2), () -> noGroupsOf(server.pid())))
            .as("%s", next.launcher().limits())
            .isTrue();
      }
    } finally {
      server.destroyForcibly();
    }
  }

  private static boolean noGroupsOf(long server) {
    try {
      return SandboxLimitsTest.groups("runstone-" + server + "-").isEmpty();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @ParameterizedTest
  @EnumSource(SandboxLevel.class)
  void anInterruptedLaunchThreadEndsItsSandboxes(SandboxLevel level) throws Exception {
    try (Sandboxes sandboxes = new Sandboxes(directory, level)) {
      SandboxProcess process = sandboxes.start("os.write(1, b'1')\nsignal.pause()\n");
      assertThat(process.output().read()).isEqualTo('1');
      Thread.getAllStackTraces().keySet().stream()
          .filter(thread -> thread.getName().equals("runstone-sandbox-launch"))
          .forEach(Thread::interrupt);
      assertThat(Sandboxes.exit(process)).isEqualTo(128 + 9);
    }
  }
}
