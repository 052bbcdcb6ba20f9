package io.runstone.upstream.broker;

import io.runstone.security.Requester;
import io.runstone.security.UserId;
import io.runstone.security.audit.AuditEvent;
import io.runstone.security.audit.AuditEvent.Action;
import io.runstone.security.audit.AuditEvent.Result;
import io.runstone.security.audit.AuditEvent.Subject;
import io.runstone.security.audit.AuditLog;
import io.runstone.upstream.ServerDirectory;
import io.runstone.upstream.ServerName;
import io.runstone.upstream.UpstreamServer;
import io.runstone.upstream.pool.SessionView;
import io.runstone.upstream.pool.UpstreamSessionPool;
import java.time.Clock;
import java.util.List;
import java.util.Optional;

/**
 * What administrators see of upstream servers and the sessions with them, and what they can do.
 * Thread-safe.
 */
public final class UpstreamControl {
  private final ServerDirectory directory;
  private final UpstreamSessionPool pool;
  private final AuditLog log;
  private final Clock clock;

  /** Creates the control over what is there. */
  public UpstreamControl(
      ServerDirectory directory, UpstreamSessionPool pool, AuditLog log, Clock clock) {
    this.directory = directory;
    this.pool = pool;
    this.log = log;
    this.clock = clock;
  }

  /** The declared servers, by name. */
  public List<UpstreamServer> servers() {
    return directory.servers();
  }

  /** Why the file of servers can't be used, so that an older reading of it is in force. */
  public Optional<String> trouble() {
    return directory.trouble();
  }

  /** Every session with a server. */
  public List<SessionView> sessions() {
    return pool.sessions();
  }

  /**
   * Reads the file of servers now, and ends the sessions with those that changed.
   *
   * @param administrator who wants it, if that is known
   */
  public void refresh(Optional<Requester> administrator) {
    directory.refresh();
    pool.tend();
    record(administrator, "", trouble().isEmpty() ? "refreshed" : "not_refreshed");
  }

  /**
   * Ends sessions with a server at once, with the calls that run; the next call opens another.
   *
   * @param user whose; everybody's if empty
   * @return how many there were
   * @throws IllegalArgumentException if no server is called so
   */
  public int revoke(Optional<Requester> administrator, Optional<UserId> user, String server) {
    ServerName name = new ServerName(server);
    int ended = user.isPresent() ? pool.revoke(user.orElseThrow(), name) : pool.revoke(name);
    record(administrator, server, "sessions_ended");
    return ended;
  }

  /** A user connected or disconnected a server: what was opened before that ends. */
  public void changed(UserId user, ServerName server) {
    pool.revoke(user, server);
    log.record(
        new AuditEvent(
            clock.instant(),
            Action.UPSTREAM,
            Optional.of(Requester.of(user)),
            new Subject("", "", "", server.value()),
            Result.of("consent_changed", "user")));
  }

  private void record(Optional<Requester> administrator, String server, String outcome) {
    log.record(
        new AuditEvent(
            clock.instant(),
            Action.UPSTREAM,
            administrator,
            new Subject("", "", "", server),
            Result.of(outcome, "administrator")));
  }
}
