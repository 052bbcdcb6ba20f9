package io.runstone.admin;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.tools.attach.VirtualMachine;
import io.runstone.testing.Http;
import io.runstone.testing.McpClient;
import io.runstone.testing.Wars;
import java.net.URL;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import javax.management.Attribute;
import javax.management.MBeanServerConnection;
import javax.management.MalformedObjectNameException;
import javax.management.Notification;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.RunAsClient;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** An administrator in another process, over a JMX connection. */
@ExtendWith(ArquillianExtension.class)
@RunAsClient
class RemoteJmxIT {
  @ArquillianResource private URL base;
  private Http http;
  private JMXConnector connector;
  private MBeanServerConnection jmx;
  private final ObjectName manager = name("io.runstone:type=SessionManager");

  @Deployment(testable = false)
  static WebArchive war() {
    return Wars.built();
  }

  private static ObjectName name(String text) {
    try {
      return new ObjectName(text);
    } catch (MalformedObjectNameException e) {
      throw new IllegalArgumentException(text, e);
    }
  }

  @BeforeEach
  @SuppressWarnings("BanJNDI") // the address comes from a process that this test has started
  void connect() throws Exception {
    http = new Http(base.toURI(), Map.of());
    long server =
        ProcessHandle.current()
            .descendants()
            .filter(process -> process.info().commandLine().orElse("").contains("payara-micro"))
            .findFirst()
            .orElseThrow()
            .pid();
    VirtualMachine machine = VirtualMachine.attach(String.valueOf(server));
    String address = machine.startLocalManagementAgent();
    machine.detach();
    connector = JMXConnectorFactory.connect(new JMXServiceURL(address));
    jmx = connector.getMBeanServerConnection();
  }

  @AfterEach
  void disconnect() throws Exception {
    connector.close();
    http.stopAll();
  }

  private Object invoke(String operation, String... arguments) throws Exception {
    String[] types = new String[arguments.length];
    Arrays.fill(types, String.class.getName());
    return jmx.invoke(manager, operation, arguments, types);
  }

  @Test
  void sessionsAreListedInterruptedAndStopped() throws Exception {
    BlockingQueue<Notification> heard = new LinkedBlockingQueue<>();
    jmx.addNotificationListener(
        manager, (notification, handback) -> heard.add(notification), null, null);
    http.start("watched");
    CompositeData[] sessions = (CompositeData[]) invoke("listSessions");
    assertThat(sessions).hasSize(1);
    assertThat(sessions[0].get("id")).isEqualTo("watched");
    assertThat(sessions[0].get("user")).isEqualTo("anonymous");
    ObjectName session = name("io.runstone:type=PythonSession,user=\"anonymous\",id=\"watched\"");
    assertThat(jmx.isRegistered(session)).isTrue();

    String code = "kept = 1\nopen('/app/uploads/on', 'w').close()\nimport time; time.sleep(50)";
    CompletableFuture<Http.Answer> running =
        http.sendLater("POST", "/execute", Http.order("watched", code));
    while (!(boolean) jmx.getAttribute(session, "Running")) {
      assertThat(running).isNotDone();
    }
    String there = "import os; os.path.exists('/app/uploads/on')";
    while (!http.execute("", there).getString("stdout").equals("True\n")) {
      assertThat(running).isNotDone();
    }
    assertThat(invoke("interruptSession", "anonymous", "watched")).isEqualTo(true);
    assertThat(running.get(30, SECONDS).json().getString("status")).isEqualTo("interrupted");
    assertThat(http.execute("watched", "kept").getString("stdout")).isEqualTo("1\n");

    invoke("stopSession", "anonymous", "watched");
    assertThat(http.send("GET", "/v1/sessions/session?session_id=watched", "").status())
        .isEqualTo(404);
    assertThat(jmx.isRegistered(session)).isFalse();
    assertThat(heard.poll(10, SECONDS))
        .extracting(Notification::getType)
        .isEqualTo("runstone.session.started");
    assertThat(heard.poll(10, SECONDS))
        .extracting(Notification::getType)
        .isEqualTo("runstone.session.stopped");
  }

  @Test
  void mcpSessionsAreListedAndEnded() throws Exception {
    ObjectName mcp = name("io.runstone:type=McpEndpoint");
    McpClient client = McpClient.open(http);
    client.execute("", "x = 1");
    assertThat(jmx.getAttribute(mcp, "Sessions")).isEqualTo(1);
    CompositeData[] sessions = (CompositeData[]) jmx.invoke(mcp, "listSessions", null, null);
    assertThat(sessions[0].get("version")).isEqualTo("2025-06-18");
    String id = (String) sessions[0].get("id");
    assertThat(client.session()).doesNotContain(id);
    jmx.invoke(mcp, "endSession", new Object[] {id}, new String[] {String.class.getName()});
    assertThat(jmx.getAttribute(mcp, "Sessions")).isEqualTo(0);
    assertThat(client.post("{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"ping\"}").status())
        .isEqualTo(404);
  }

  @Test
  void aChangedLimitAppliesAtOnceAndReachingItIsHeard() throws Exception {
    BlockingQueue<Notification> heard = new LinkedBlockingQueue<>();
    jmx.addNotificationListener(
        manager, (notification, handback) -> heard.add(notification), null, null);
    jmx.setAttribute(manager, new Attribute("SessionsPerUser", 0));
    try {
      assertThat(http.send("POST", "/v1/sessions/session", "{}").status()).isEqualTo(503);
      assertThat(heard.poll(10, SECONDS))
          .extracting(Notification::getType)
          .isEqualTo("runstone.limit.reached");
    } finally {
      jmx.setAttribute(manager, new Attribute("SessionsPerUser", 5));
    }
    http.start("again");
  }
}
