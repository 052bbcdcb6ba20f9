package io.runstone.security.login;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.runstone.security.audit.AuditEvent;
import io.runstone.security.audit.AuditEvent.Action;
import io.runstone.security.audit.AuditEvent.Result;
import io.runstone.security.audit.AuditEvent.Subject;
import io.runstone.security.audit.AuditLog;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Records logins that were refused: so many a minute, and how many more there were, for whoever has
 * no login must not be able to push everything else out of the log. Thread-safe.
 */
public final class LoginRefusals {
  private static final int PER_MINUTE = 60;
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final AuditLog log;
  private final Clock clock;
  private final Object lock = new Object();

  @GuardedBy("lock") private Instant minuteEnds = Instant.MIN;

  @GuardedBy("lock") private int recorded;

  @GuardedBy("lock") private long left;

  /** Creates the record. */
  public LoginRefusals(AuditLog log, Clock clock) {
    this.log = log;
    this.clock = clock;
  }

  /**
   * Records one.
   *
   * @param reason in the server's own words
   */
  void record(String address, String reason) {
    Instant now = clock.instant();
    long before;
    synchronized (lock) {
      if (!now.isBefore(minuteEnds)) {
        minuteEnds = now.plus(MINUTE);
        recorded = 0;
      }
      if (recorded == PER_MINUTE) {
        left++;
        return;
      }
      recorded++;
      before = left;
      left = 0;
    }
    String told = before == 0 ? reason : reason + "; " + before + " before it are not recorded";
    log.record(
        new AuditEvent(
            now,
            Action.LOGIN,
            Optional.empty(),
            Subject.origin(address),
            Result.of("refused", told)));
  }
}
