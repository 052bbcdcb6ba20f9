package io.runstone.security.login;

import static org.assertj.core.api.Assertions.assertThat;

import io.runstone.security.audit.AuditEvent;
import io.runstone.security.audit.AuditLog;
import io.runstone.security.audit.AuditState;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class LoginRefusalsTest {
  private final List<AuditEvent> events = new ArrayList<>();
  private Instant now = Instant.parse("2026-11-30T12:00:00Z");

  private final AuditLog log =
      new AuditLog() {
        @Override
        public void record(AuditEvent event) {
          events.add(event);
        }

        @Override
        public CompletionStage<Void> recordBefore(AuditEvent event) {
          throw new AssertionError("nothing begins");
        }

        @Override
        public void recordEnd(AuditEvent event) {
          throw new AssertionError("nothing ends");
        }

        @Override
        public AuditState state() {
          return AuditState.OK;
        }

        @Override
        public void close() {}
      };

  private final Clock clock =
      new Clock() {
        @Override
        public ZoneOffset getZone() {
          return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(java.time.ZoneId zone) {
          return this;
        }

        @Override
        public Instant instant() {
          return now;
        }
      };

  private final LoginRefusals refusals = new LoginRefusals(log, clock);

  @Test
  void aFloodDoesNotFillTheLogAndIsCounted() {
    for (int i = 0; i < 1000; i++) {
      refusals.record("192.0.2.7", "no such key");
    }
    assertThat(events).hasSize(60);
    assertThat(events.get(0).subject().origin()).isEqualTo("192.0.2.7");
    assertThat(events.get(0).result().reason()).isEqualTo("no such key");
    now = now.plus(Duration.ofMinutes(1));
    refusals.record("192.0.2.7", "no such key");
    assertThat(events.get(60).result().reason())
        .isEqualTo("no such key; 940 before it are not recorded");
  }
}
