package io.runstone.admin;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.runstone.session.SessionEvent;
import io.runstone.session.SessionInfo;
import io.runstone.session.SessionKey;
import io.runstone.session.SessionListener;
import io.runstone.session.SessionManager;
import io.runstone.upstream.broker.UpstreamControl;
import java.lang.management.ManagementFactory;
import java.time.Clock;
import java.util.HashSet;
import java.util.Set;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.NotificationBroadcasterSupport;
import javax.management.ObjectName;

/**
 * Keeps the MBeans in step with the application: {@link #open} registers the session manager and
 * from then on a session's MBean comes and goes with it; {@link #close} unregisters all of them.
 * Thread-safe. Nothing here fails a deployment or a session: what JMX refuses is logged.
 */
public final class AdminRegistrar implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(AdminRegistrar.class.getName());

  private final SessionManager sessions;
  private final McpOperations mcp;
  private final UpstreamControl upstream;
  private final MBeanServer server;
  private final SessionOperations operations;
  private final SessionTotals totals = new SessionTotals();
  private final SessionNotifications notifications = new SessionNotifications();
  private final SessionListener listener = this::onEvent;
  private final Clock clock;
  private final Object lock = new Object();

  @GuardedBy("lock") private final Set<ObjectName> registered = new HashSet<>();

  @GuardedBy("lock") private boolean open;

  /** Creates the registrar over the platform's MBean server. */
  public AdminRegistrar(SessionManager sessions, McpOperations mcp, UpstreamControl upstream) {
    this(sessions, mcp, upstream, ManagementFactory.getPlatformMBeanServer(), Clock.systemUTC());
  }

  AdminRegistrar(
      SessionManager sessions,
      McpOperations mcp,
      UpstreamControl upstream,
      MBeanServer server,
      Clock clock) {
    this.sessions = sessions;
    this.mcp = mcp;
    this.upstream = upstream;
    this.server = server;
    this.clock = clock;
    this.operations = new SessionOperations(sessions);
  }

  /** Registers the session manager and the sessions there are. */
  public void open() {
    synchronized (lock) {
      open = true;
      server.queryNames(SessionNames.EVERY_SESSION, null).forEach(this::removeLeftover);
      register(
          SessionNames.MANAGER,
          new DescribedMBean<>(
              new SessionManagerAdmin(sessions, operations, totals, clock),
              SessionManagerMXBean.class,
              notifications));
      register(
          SessionNames.MCP,
          new DescribedMBean<>(
              new McpEndpointAdmin(mcp),
              McpEndpointMXBean.class,
              new NotificationBroadcasterSupport()));
      register(
          SessionNames.UPSTREAM,
          new DescribedMBean<>(
              new UpstreamAdmin(upstream),
              UpstreamMXBean.class,
              new NotificationBroadcasterSupport()));
    }
    sessions.addListener(listener);
    sessions.all().stream().map(SessionInfo::key).forEach(this::reconcile);
  }

  /** Unregisters everything. Idempotent; works when the session manager is gone already. */
  @Override
  public void close() {
    try {
      sessions.removeListener(listener);
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.DEBUG, "the session manager ended first", e);
    }
    synchronized (lock) {
      open = false;
      Set.copyOf(registered).forEach(this::unregister);
    }
  }

  private void onEvent(SessionEvent event) {
    totals.onEvent(event);
    if (event instanceof SessionEvent.Started || event instanceof SessionEvent.Stopped) {
      reconcile(event.key());
    }
    notifications.onEvent(event);
  }

  /**
   * Registers or unregisters a session's MBean as the session is there or not.
   *
   * <p>INVARIANT: events of one id may arrive out of order, when a session is stopped and another
   * of the same id started. So what counts is the state and not the event: every change of state is
   * followed by one event, and whichever is handled last sees the last state.
   */
  private void reconcile(SessionKey key) {
    if (key instanceof SessionKey.OneShot) {
      return;
    }
    ObjectName name = SessionNames.objectName(key);
    synchronized (lock) {
      boolean wanted = open && operations.find(key).isPresent();
      if (wanted && !registered.contains(name)) {
        register(
            name,
            new DescribedMBean<>(
                new PythonSessionAdmin(key, operations),
                PythonSessionMXBean.class,
                new NotificationBroadcasterSupport()));
      } else if (!wanted && registered.contains(name)) {
        unregister(name);
      }
    }
  }

  @GuardedBy("lock") private void register(ObjectName name, DescribedMBean<?> bean) {
    try {
      if (server.isRegistered(name)) {
        removeLeftover(name);
      }
      server.registerMBean(bean, name);
      registered.add(name);
    } catch (JMException e) {
      LOG.log(System.Logger.Level.WARNING, name + ": can't be registered", e);
    }
  }

  @GuardedBy("lock") private void unregister(ObjectName name) {
    registered.remove(name);
    try {
      server.unregisterMBean(name);
    } catch (InstanceNotFoundException e) {
      LOG.log(System.Logger.Level.DEBUG, name + ": was unregistered by somebody else", e);
    } catch (JMException e) {
      LOG.log(System.Logger.Level.WARNING, name + ": can't be unregistered", e);
    }
  }

  /** An undeployment that failed half-way leaves beans of classes that are gone. */
  private void removeLeftover(ObjectName name) {
    LOG.log(System.Logger.Level.WARNING, name + ": was left over and is replaced");
    try {
      server.unregisterMBean(name);
    } catch (JMException e) {
      LOG.log(System.Logger.Level.WARNING, name + ": can't be unregistered", e);
    }
  }
}
