package io.runstone.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.runstone.upstream.FakeNetwork;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.RuntimeMBeanException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The commands that the guide shows. */
class JmxClientTest {
  private final MBeanServer server = MBeanServerFactory.newMBeanServer();
  private final FakeSessions sessions = new FakeSessions();
  private final AdminRegistrar registrar =
      new AdminRegistrar(
          sessions, new FakeMcp(), FakeNetwork.noControl(), server, Clock.systemUTC());

  @BeforeEach
  void open() {
    registrar.open();
    sessions.begin(FakeSessions.named("alpha"), true);
  }

  @AfterEach
  void close() {
    registrar.close();
  }

  private String run(String... command) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    new JmxClient(server, new PrintStream(bytes, true, StandardCharsets.UTF_8)).run(command);
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @Test
  void showsEveryAttribute() throws Exception {
    assertThat(run("show")).contains("SessionsPerUser", "SandboxLevel", "bubblewrap");
  }

  @Test
  void listsInterruptsAndStops() throws Exception {
    assertThat(run("list").lines()).hasSize(2);
    assertThat(run("list")).contains("ann", "alpha", "4711");
    assertThat(run("interrupt", "ann", "alpha")).isEqualToIgnoringNewLines("interrupted");
    assertThat(run("stop", "ann", "alpha")).isEqualToIgnoringNewLines("stopped");
    assertThatThrownBy(() -> run("stop", "ann", "alpha")).isInstanceOf(RuntimeMBeanException.class);
  }

  @Test
  void setsLimits() throws Exception {
    assertThat(run("set", "SessionsPerUser", "8")).contains("5 -> 8");
    assertThat(run("set", "IdleTimeoutSeconds", "60")).contains("1800 -> 60");
  }

  @Test
  void refusesWhatIsNoCommand() {
    assertThatThrownBy(() -> run("start")).hasMessageContaining("unknown command");
    assertThatThrownBy(() -> run("stop", "ann")).hasMessageContaining("argument is missing");
  }
}
