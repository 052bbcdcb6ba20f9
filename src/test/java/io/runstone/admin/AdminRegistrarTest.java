package io.runstone.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.runstone.security.UserId;
import io.runstone.session.SessionEvent;
import io.runstone.session.SessionException;
import io.runstone.session.SessionKey;
import io.runstone.session.StopReason;
import io.runstone.upstream.FakeNetwork;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.Notification;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When MBeans and notifications come and go, over an MBean server of the test's own. */
class AdminRegistrarTest {
  private static final SessionKey ALPHA = FakeSessions.named("alpha");
  private static final SessionKey BETA = FakeSessions.named("beta");
  private static final SessionKey IMPLICIT =
      new SessionKey.Implicit(new UserId("ann"), "an-mcp-session-id");
  private static final SessionKey ONE_SHOT =
      new SessionKey.OneShot(new UserId("ann"), new UUID(0, 1));

  private final MBeanServer server = MBeanServerFactory.newMBeanServer();
  private final FakeSessions sessions = new FakeSessions();
  private final AdminRegistrar registrar =
      new AdminRegistrar(
          sessions, new FakeMcp(), FakeNetwork.noControl(), server, Clock.systemUTC());
  private final List<Notification> heard = new ArrayList<>();

  @BeforeEach
  void open() throws JMException {
    sessions.begin(ALPHA, true);
    registrar.open();
    server.addNotificationListener(
        SessionNames.MANAGER, (notification, handback) -> heard.add(notification), null, null);
  }

  @AfterEach
  void close() {
    registrar.close();
  }

  private Set<ObjectName> sessionBeans() {
    return server.queryNames(SessionNames.EVERY_SESSION, null);
  }

  @Test
  void sessionsComeAndGoWithTheirBeans() throws JMException {
    assertThat(sessionBeans()).containsExactly(SessionNames.objectName(ALPHA));
    sessions.begin(BETA, false);
    sessions.begin(IMPLICIT, false);
    sessions.begin(ONE_SHOT, false);
    assertThat(sessionBeans())
        .containsExactlyInAnyOrder(
            SessionNames.objectName(ALPHA),
            SessionNames.objectName(BETA),
            SessionNames.objectName(IMPLICIT));
    sessions.stop(BETA, StopReason.IDLE);
    assertThat(sessionBeans()).doesNotContain(SessionNames.objectName(BETA));
  }

  @Test
  void aLateStopDoesNotHideANewSessionOfTheSameId() {
    sessions.publish(new SessionEvent.Stopped(ALPHA, StopReason.REQUESTED));
    assertThat(sessionBeans()).containsExactly(SessionNames.objectName(ALPHA));
  }

  @Test
  void tellsWhatHappens() {
    sessions.begin(BETA, false);
    sessions.begin(ONE_SHOT, false);
    sessions.publish(new SessionEvent.KernelDied(BETA));
    sessions.publish(
        new SessionEvent.LimitReached(
            FakeSessions.named("gamma"), SessionException.Category.USER_LIMIT));
    sessions.stop(BETA, StopReason.LIFETIME);
    sessions.stop(ONE_SHOT, StopReason.REQUESTED);
    assertThat(heard)
        .extracting(Notification::getType)
        .containsExactly(
            "runstone.session.started",
            "runstone.kernel.died",
            "runstone.limit.reached",
            "runstone.session.stopped");
    assertThat(heard.get(3).getMessage()).isEqualTo("session beta of ann stopped: LIFETIME");
    assertThat(heard.get(3).getUserData())
        .isEqualTo(Map.of("user", "ann", "id", "beta", "reason", "LIFETIME"));
    assertThat(heard)
        .extracting(Notification::getSequenceNumber)
        .isSorted()
        .doesNotHaveDuplicates();
  }

  @Test
  void leavesNothingBehind() {
    registrar.close();
    registrar.close();
    assertThat(server.isRegistered(SessionNames.MANAGER)).isFalse();
    assertThat(sessionBeans()).isEmpty();
    assertThat(sessions.listeners).isEmpty();
  }

  @Test
  void replacesWhatAFailedUndeploymentLeft() throws JMException {
    FakeSessions others = new FakeSessions();
    others.begin(BETA, false);
    AdminRegistrar second =
        new AdminRegistrar(
            others, new FakeMcp(), FakeNetwork.noControl(), server, Clock.systemUTC());
    second.open();
    assertThat(sessionBeans()).containsExactly(SessionNames.objectName(BETA));
    assertThat(server.getAttribute(SessionNames.MANAGER, "RunningExecutions")).isEqualTo(0);
    second.close();
  }
}
