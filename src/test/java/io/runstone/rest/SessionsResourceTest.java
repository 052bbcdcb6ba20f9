package io.runstone.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.runstone.security.UserId;
import io.runstone.session.SessionException;
import io.runstone.session.SessionId;
import io.runstone.session.SessionInfo;
import io.runstone.session.SessionKey;
import jakarta.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SessionsResourceTest {
  private static final Instant CREATED = Instant.parse("2026-11-30T12:00:00.123Z");
  private static final SessionInfo ALPHA =
      new SessionInfo(
          new SessionKey.Named(UserId.ANONYMOUS, new SessionId("alpha")),
          CREATED,
          CREATED,
          false,
          0,
          0,
          Optional.empty());

  @Test
  void takesTheIdFromQueryOrBody() {
    SessionId alpha = new SessionId("alpha");
    assertThat(SessionsResource.named("alpha", Optional.empty())).isEqualTo(alpha);
    assertThat(SessionsResource.named(null, Optional.of("alpha"))).isEqualTo(alpha);
    assertThat(SessionsResource.named("alpha", Optional.of("alpha"))).isEqualTo(alpha);
  }

  @Test
  void wantsExactlyOneId() {
    assertThatThrownBy(() -> SessionsResource.named(null, Optional.empty()))
        .isInstanceOf(SessionException.class)
        .hasMessageContaining("send the session_id");
    assertThatThrownBy(() -> SessionsResource.named("alpha", Optional.of("beta")))
        .isInstanceOf(SessionException.class)
        .hasMessageContaining("different sessions");
    assertThatThrownBy(() -> SessionsResource.named("", Optional.empty()))
        .isInstanceOf(SessionException.class)
        .hasMessageContaining("a session_id is");
  }

  @Test
  void rendersSessions() {
    JsonObject active = SessionJson.active(ALPHA);
    assertThat(active.getString("session_id")).isEqualTo("alpha");
    assertThat(active.getString("status")).isEqualTo("active");
    assertThat(active.getString("created_at")).isEqualTo("2026-11-30T12:00:00.123Z");
    assertThat(SessionJson.stopped(ALPHA).getString("status")).isEqualTo("stopped");
    assertThat(SessionJson.list(List.of(ALPHA)).getJsonArray("sessions")).containsExactly(active);
    assertThat(SessionJson.list(List.of()).getJsonArray("sessions")).isEmpty();
  }
}
