package io.runstone.session;

import io.runstone.concurrent.Threads;
import io.runstone.config.Settings;
import io.runstone.kernel.KernelEngine;
import io.runstone.security.audit.AuditLog;
import io.runstone.workspace.Workspaces;
import java.time.Clock;

/** Session managers without a container, for programs that are no tests of this package. */
public final class SessionManagers {
  private SessionManagers() {}

  /** One that is open until it is closed. */
  public record Opened(SessionManager manager) implements AutoCloseable {
    @Override
    public void close() {
      manager.close();
    }
  }

  /** Opens one without an audit. */
  public static Opened open(
      Settings settings, Threads threads, KernelEngine engine, Workspaces workspaces) {
    return open(settings, threads, engine, workspaces, AuditLog.OFF);
  }

  /** Opens one. */
  public static Opened open(
      Settings settings,
      Threads threads,
      KernelEngine engine,
      Workspaces workspaces,
      AuditLog audit) {
    return open(settings, threads, engine, workspaces, audit, ExecutionCalls.NONE);
  }

  /** Opens one whose code has something to call. */
  public static Opened open(
      Settings settings,
      Threads threads,
      KernelEngine engine,
      Workspaces workspaces,
      AuditLog audit,
      ExecutionCalls calls) {
    SessionManager manager = new SessionManager();
    manager.use(settings, threads, engine, workspaces, Clock.systemUTC(), audit, calls);
    manager.open();
    return new Opened(manager);
  }
}
