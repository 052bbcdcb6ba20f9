package io.runstone.security.audit;

import io.runstone.security.Requester;
import io.runstone.security.UserId;
import io.runstone.security.audit.AuditEvent.Action;
import io.runstone.security.audit.AuditEvent.Result;
import io.runstone.security.audit.AuditEvent.Subject;
import java.time.Instant;
import java.util.Optional;

/** Events for tests. */
final class AuditEvents {
  static final Instant TIME = Instant.parse("2026-11-30T12:00:00.120Z");

  private AuditEvents() {}

  /** One that can be told from others. */
  static AuditEvent event(String session) {
    return new AuditEvent(
        TIME,
        Action.EXECUTE,
        Optional.of(Requester.of(new UserId("anna")).at("192.0.2.1")),
        new Subject(session, "e-1", "ab".repeat(32)),
        Result.of("accepted", ""));
  }
}
