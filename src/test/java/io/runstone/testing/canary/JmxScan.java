package io.runstone.testing.canary;

import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanOperationInfo;
import javax.management.MBeanServerConnection;
import javax.management.Notification;
import javax.management.NotificationListener;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** All that an administrator sees of Runstone over JMX, as text. Not thread-safe. */
public final class JmxScan implements AutoCloseable {
  private final JMXConnector connector;
  private final MBeanServerConnection jmx;
  private final ConcurrentLinkedQueue<String> heard = new ConcurrentLinkedQueue<>();

  /** Connects, and hears notifications from now on. */
  @SuppressWarnings("BanJNDI") // the address comes from a process that this test has started
  public JmxScan(long pid) throws Exception {
    VirtualMachine machine = VirtualMachine.attach(String.valueOf(pid));
    String address = machine.startLocalManagementAgent();
    machine.detach();
    connector = JMXConnectorFactory.connect(new JMXServiceURL(address));
    jmx = connector.getMBeanServerConnection();
    NotificationListener listener = (notification, handback) -> heard.add(text(notification));
    for (ObjectName name : names()) {
      if (jmx.getMBeanInfo(name).getNotifications().length > 0) {
        jmx.addNotificationListener(name, listener, null, null);
      }
    }
  }

  private Set<ObjectName> names() throws Exception {
    return new TreeSet<>(jmx.queryNames(new ObjectName("io.runstone*:*"), null));
  }

  private static String text(Notification heard) {
    return heard.getType() + " " + heard.getMessage() + " " + text(heard.getUserData());
  }

  /** Names, attributes, what operations without arguments list, and notifications. */
  public String all() throws Exception {
    StringBuilder all = new StringBuilder();
    for (ObjectName name : names()) {
      all.append(name).append('\n').append(jmx.getMBeanInfo(name)).append('\n');
      for (MBeanAttributeInfo attribute : jmx.getMBeanInfo(name).getAttributes()) {
        all.append(attribute.getName()).append('=');
        all.append(text(jmx.getAttribute(name, attribute.getName()))).append('\n');
      }
      for (MBeanOperationInfo operation : jmx.getMBeanInfo(name).getOperations()) {
        if (operation.getName().startsWith("list") && operation.getSignature().length == 0) {
          all.append(text(jmx.invoke(name, operation.getName(), null, null))).append('\n');
        }
      }
    }
    heard.forEach(text -> all.append(text).append('\n'));
    return all.toString();
  }

  private static String text(Object value) {
    if (value instanceof Object[] array) {
      return Arrays.stream(array).map(JmxScan::text).toList().toString();
    } else if (value instanceof CompositeData data) {
      return data.values().stream().map(JmxScan::text).toList().toString();
    } else if (value instanceof Collection<?> some) {
      return some.stream().map(JmxScan::text).toList().toString();
    } else if (value instanceof Map<?, ?> map) {
      return map.entrySet().stream().map(JmxScan::text).toList().toString();
    }
    return String.valueOf(value);
  }

  @Override
  public void close() throws IOException {
    connector.close();
  }
}
