package io.runstone.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.runstone.security.UserId;
import io.runstone.session.SessionKey;
import io.runstone.session.StopReason;
import io.runstone.upstream.FakeNetwork;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import javax.management.Attribute;
import javax.management.JMException;
import javax.management.MBeanInfo;
import javax.management.MBeanOperationInfo;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import javax.management.RuntimeMBeanException;
import javax.management.openmbean.CompositeData;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The MBeans as a management client sees them, over an MBean server of the test's own. */
class SessionMXBeansTest {
  private static final SessionKey ALPHA = FakeSessions.named("alpha");
  private static final SessionKey BETA = FakeSessions.named("beta");
  private static final SessionKey IMPLICIT =
      new SessionKey.Implicit(new UserId("ann"), "an-mcp-session-id");
  private static final SessionKey ONE_SHOT =
      new SessionKey.OneShot(new UserId("ann"), new UUID(0, 1));
  private static final String[] TWO_STRINGS = {"java.lang.String", "java.lang.String"};

  private final MBeanServer server = MBeanServerFactory.newMBeanServer();
  private final FakeSessions sessions = new FakeSessions();
  private final AdminRegistrar registrar =
      new AdminRegistrar(
          sessions,
          new FakeMcp(),
          FakeNetwork.noControl(),
          server,
          Clock.fixed(FakeSessions.CREATED.plus(Duration.ofSeconds(90)), ZoneOffset.UTC));

  @BeforeEach
  void open() {
    sessions.begin(ALPHA, true);
    registrar.open();
  }

  @AfterEach
  void close() {
    registrar.close();
  }

  private Object get(String attribute) throws JMException {
    return server.getAttribute(SessionNames.MANAGER, attribute);
  }

  private Object invoke(String operation, String user, String id) throws JMException {
    return server.invoke(SessionNames.MANAGER, operation, new Object[] {user, id}, TWO_STRINGS);
  }

  private Set<ObjectName> sessionBeans() {
    return server.queryNames(SessionNames.EVERY_SESSION, null);
  }

  @Test
  void countsSessions() throws JMException {
    sessions.begin(IMPLICIT, false);
    sessions.begin(ONE_SHOT, false);
    assertThat(get("Sessions")).isEqualTo(3);
    assertThat(get("NamedSessions")).isEqualTo(1);
    assertThat(get("RunningExecutions")).isEqualTo(1);
    assertThat(get("QueuedExecutions")).isEqualTo(3);
    assertThat(get("StartedTotal")).isEqualTo(2L);
    assertThat(get("SandboxLevel")).isEqualTo("bubblewrap");
    assertThat(get("PythonVersion")).isEqualTo("3.11.2");
  }

  @Test
  void listsSessionsAsOpenData() throws JMException {
    CompositeData[] rows =
        (CompositeData[]) server.invoke(SessionNames.MANAGER, "listSessions", null, null);
    assertThat(rows).hasSize(1);
    assertThat(rows[0].get("user")).isEqualTo("ann");
    assertThat(rows[0].get("id")).isEqualTo("alpha");
    assertThat(rows[0].get("createdAt")).isEqualTo("2026-11-30T12:00:00Z");
    assertThat(rows[0].get("running")).isEqualTo(true);
    assertThat(rows[0].get("idleSeconds")).isEqualTo(0L);
    assertThat(rows[0].get("pid")).isEqualTo(4711L);
    sessions.begin(BETA, false);
    rows = (CompositeData[]) server.invoke(SessionNames.MANAGER, "listSessions", null, null);
    assertThat(rows[1].get("idleSeconds")).isEqualTo(90L);
  }

  @Test
  void showsOneSession() throws JMException {
    ObjectName alpha = SessionNames.objectName(ALPHA);
    assertThat(server.getAttribute(alpha, "User")).isEqualTo("ann");
    assertThat(server.getAttribute(alpha, "Id")).isEqualTo("alpha");
    assertThat(server.getAttribute(alpha, "Running")).isEqualTo(true);
    assertThat(server.getAttribute(alpha, "Executions")).isEqualTo(2L);
    assertThat(server.getAttribute(alpha, "Pid")).isEqualTo(4711L);
    assertThat(server.invoke(alpha, "interrupt", null, null)).isEqualTo(true);
    server.invoke(alpha, "stop", null, null);
    assertThat(sessionBeans()).isEmpty();
  }

  @Test
  void stopsAndInterrupts() throws JMException {
    sessions.begin(IMPLICIT, false);
    assertThat(invoke("interruptSession", "ann", "alpha")).isEqualTo(true);
    assertThat(invoke("interruptSession", "ann", SessionNames.id(IMPLICIT))).isEqualTo(false);
    invoke("stopSession", "ann", "alpha");
    invoke("stopSession", "ann", SessionNames.id(IMPLICIT));
    assertThat(sessions.running).isEmpty();
    assertThat(sessions.stops).containsExactly(StopReason.ADMINISTRATOR, StopReason.ADMINISTRATOR);
    assertThat(get("StoppedTotal")).isEqualTo(2L);
  }

  @Test
  void saysWhenASessionIsUnknown() {
    assertThatThrownBy(() -> invoke("stopSession", "ann", "nobody"))
        .isInstanceOf(RuntimeMBeanException.class)
        .cause()
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("ann has no session nobody")
        .hasNoCause();
    assertThatThrownBy(() -> invoke("interruptSession", "bob", "alpha"))
        .cause()
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void translatesTheContainersExceptions() {
    SessionOperations operations = new SessionOperations(sessions);
    assertThatThrownBy(() -> operations.interrupt(BETA))
        .isInstanceOf(IllegalArgumentException.class)
        .hasNoCause();
    assertThatThrownBy(() -> operations.stop(BETA))
        .isInstanceOf(IllegalArgumentException.class)
        .hasNoCause();
  }

  @Test
  void changesOneLimitAtATime() throws JMException {
    for (Attribute change :
        List.of(
            new Attribute("SessionsPerUser", 7),
            new Attribute("SessionsPerNode", 9),
            new Attribute("IdleTimeoutSeconds", 60L),
            new Attribute("MaxLifetimeSeconds", 3600L))) {
      server.setAttribute(SessionNames.MANAGER, change);
      assertThat(get(change.getName())).isEqualTo(change.getValue());
    }
    assertThat(sessions.limits().perUser()).isEqualTo(7);
    assertThat(sessions.limits().perNode()).isEqualTo(9);
    assertThat(sessions.limits().idleTimeout()).isEqualTo(Duration.ofMinutes(1));
  }

  @Test
  void refusesImpossibleLimits() {
    for (Attribute change :
        List.of(
            new Attribute("SessionsPerUser", -1),
            new Attribute("IdleTimeoutSeconds", 0L),
            new Attribute("MaxLifetimeSeconds", Long.MAX_VALUE))) {
      assertThatThrownBy(() -> server.setAttribute(SessionNames.MANAGER, change))
          .isInstanceOf(RuntimeMBeanException.class)
          .hasCauseInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void describesItself() throws JMException {
    MBeanInfo info = server.getMBeanInfo(SessionNames.MANAGER);
    assertThat(info.getDescription()).isEqualTo("The Python sessions of this server");
    assertThat(info.getAttributes())
        .allSatisfy(attribute -> assertThat(attribute.getDescription()).contains(" "));
    assertThat(info.getNotifications()[0].getNotifTypes()).hasSize(4);
    MBeanOperationInfo stop =
        Arrays.stream(info.getOperations())
            .filter(operation -> operation.getName().equals("stopSession"))
            .findFirst()
            .orElseThrow();
    assertThat(stop.getDescription()).startsWith("Stops a session");
    assertThat(stop.getSignature()[1].getName()).isEqualTo("id");
    assertThat(stop.getImpact()).isEqualTo(MBeanOperationInfo.ACTION);
  }
}
