package io.runstone.admin;

import java.io.IOException;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import javax.management.Attribute;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.RuntimeMBeanException;
import javax.management.openmbean.CompositeData;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/**
 * Administers a server from the command line, in one file and with nothing but a JDK; the guide on
 * JMX shows how. Also an example for programs of your own.
 *
 * <pre>{@code
 * java JmxClient.java host:port show
 * java JmxClient.java host:port list
 * java JmxClient.java host:port stop USER ID
 * java JmxClient.java host:port interrupt USER ID
 * java JmxClient.java host:port set ATTRIBUTE NUMBER
 * java JmxClient.java host:port watch
 * }</pre>
 *
 * The environment variables {@code JMX_USER} and {@code JMX_PASSWORD} hold the login, if there is
 * one. A full service URL can stand for {@code host:port}.
 */
public final class JmxClient {
  private final MBeanServerConnection server;
  private final ObjectName manager;
  private final PrintStream out;

  JmxClient(MBeanServerConnection server, PrintStream out) throws JMException {
    this.server = server;
    this.manager = new ObjectName("io.runstone:type=SessionManager");
    this.out = out;
  }

  /** Runs one command; exits with 1 if it fails and with 2 if it is none. */
  @SuppressWarnings("BanJNDI") // JMX over RMI needs it, and the address is the operator's own
  public static void main(String[] args) throws Exception {
    if (args.length < 2) {
      System.err.println(
          "usage: JmxClient host:port show|list|stop USER ID|interrupt USER ID|set ATTRIBUTE NUMBER|watch");
      System.exit(2);
    }
    Map<String, Object> environment = new HashMap<>();
    if (System.getenv("JMX_USER") != null) {
      environment.put(
          JMXConnector.CREDENTIALS,
          new String[] {System.getenv("JMX_USER"), System.getenv("JMX_PASSWORD")});
    }
    try (JMXConnector connector = JMXConnectorFactory.connect(url(args[0]), environment)) {
      new JmxClient(connector.getMBeanServerConnection(), System.out)
          .run(Arrays.copyOfRange(args, 1, args.length));
    } catch (RuntimeMBeanException e) { // what the server refused, in a sentence
      System.err.println(e.getTargetException().getMessage());
      System.exit(1);
    } catch (JMException e) { // no such attribute, or no Runstone there
      System.err.println(e.getClass().getSimpleName() + ": " + e.getMessage());
      System.exit(1);
    } catch (IOException | SecurityException e) { // no server there, or no login
      System.err.println(e.getMessage());
      System.exit(1);
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      System.exit(2);
    }
  }

  private static JMXServiceURL url(String target) throws IOException {
    return new JMXServiceURL(
        target.startsWith("service:")
            ? target
            : "service:jmx:rmi:///jndi/rmi://" + target + "/jmxrmi");
  }

  void run(String... command) throws JMException, IOException, InterruptedException {
    switch (command[0]) {
      case "show" -> show();
      case "list" -> list();
      case "stop" -> {
        invoke("stopSession", argument(command, 1), argument(command, 2));
        out.println("stopped");
      }
      case "interrupt" -> {
        Object ran = invoke("interruptSession", argument(command, 1), argument(command, 2));
        out.println(Boolean.TRUE.equals(ran) ? "interrupted" : "nothing was running");
      }
      case "set" -> set(argument(command, 1), argument(command, 2));
      case "watch" -> watch();
      default -> throw new IllegalArgumentException("unknown command: " + command[0]);
    }
  }

  private static String argument(String[] command, int index) {
    if (index >= command.length) {
      throw new IllegalArgumentException(command[0] + ": an argument is missing");
    }
    return command[index];
  }

  private void show() throws JMException, IOException {
    for (MBeanAttributeInfo attribute : server.getMBeanInfo(manager).getAttributes()) {
      Object value = server.getAttribute(manager, attribute.getName());
      out.printf("%-22s %-12s %s%n", attribute.getName(), value, attribute.getDescription());
    }
  }

  private void list() throws JMException, IOException {
    CompositeData[] rows = (CompositeData[]) server.invoke(manager, "listSessions", null, null);
    String format = "%-12s %-24s %-20s %-8s %8s %8s %8s%n";
    out.printf(format, "user", "id", "created", "running", "idle s", "runs", "pid");
    for (CompositeData row : rows) {
      out.printf(
          format,
          row.get("user"),
          row.get("id"),
          row.get("createdAt"),
          row.get("running"),
          row.get("idleSeconds"),
          row.get("executions"),
          row.get("pid"));
    }
  }

  private Object invoke(String operation, String user, String id) throws JMException, IOException {
    String string = String.class.getName();
    return server.invoke(
        manager, operation, new Object[] {user, id}, new String[] {string, string});
  }

  /** The server says whether an attribute is an int or a long. */
  private void set(String attribute, String number) throws JMException, IOException {
    Object now = server.getAttribute(manager, attribute);
    Object value;
    if (now instanceof Integer) {
      value = Integer.valueOf(number);
    } else {
      value = Long.valueOf(number);
    }
    server.setAttribute(manager, new Attribute(attribute, value));
    out.println(attribute + ": " + now + " -> " + server.getAttribute(manager, attribute));
  }

  /** Prints notifications until the process is ended. */
  private void watch() throws JMException, IOException, InterruptedException {
    server.addNotificationListener(
        manager,
        (notification, handback) ->
            out.println(notification.getType() + " " + notification.getMessage()),
        null,
        null);
    out.println("watching");
    new CountDownLatch(1).await();
  }
}
