package io.runstone.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.runstone.kernel.EngineStatus;
import io.runstone.security.audit.AuditState;
import jakarta.json.JsonObject;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HealthServletTest {

  @Test
  void saysThatCodeCanBeRun() {
    EngineStatus engine =
        new EngineStatus(
            true, "bubblewrap", "cgroup v2", Optional.of("3.11.2"), "fine", Optional.empty());
    JsonObject json = HealthServlet.ok(engine, 2, AuditState.OFF, "1.0");
    assertThat(json.getString("status")).isEqualTo("ok");
    assertThat(json.getString("sandbox")).isEqualTo("bubblewrap");
    assertThat(json.getString("python")).isEqualTo("3.11.2");
    assertThat(json.getInt("sessions")).isEqualTo(2);
    assertThat(json.getString("version")).isEqualTo("1.0");
    assertThat(json.getString("audit")).isEqualTo("off");
  }

  @Test
  void saysThatNothingCanBeAudited() {
    JsonObject json = HealthServlet.unaudited("1.0");
    assertThat(json.getString("status")).isEqualTo("unavailable");
    assertThat(json.getString("audit")).isEqualTo("failing");
    assertThat(json.getString("cure")).contains("runstone.audit.required");
  }

  @Test
  void saysWhyNotAndWhatToDo() {
    EngineStatus engine =
        new EngineStatus(
            false,
            "unavailable",
            "cgroup v2",
            Optional.empty(),
            "no Python",
            Optional.of("install Python"));
    JsonObject json = HealthServlet.unavailable(engine, "1.0");
    assertThat(json.getString("status")).isEqualTo("unavailable");
    assertThat(json.getString("sandbox")).isEqualTo("unavailable");
    assertThat(json.getString("error")).isEqualTo("no Python");
    assertThat(json.getString("cure")).isEqualTo("install Python");
  }
}
