package io.runstone.security.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.runstone.security.Requester;
import io.runstone.security.Sha256;
import io.runstone.security.UserId;
import io.runstone.security.audit.AuditEvent.Action;
import io.runstone.security.audit.AuditEvent.Result;
import io.runstone.security.audit.AuditEvent.Subject;
import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.json.JsonReader;
import java.io.StringReader;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AuditLineTest {
  private static JsonObject json(AuditLine line) {
    try (JsonReader reader = Json.createReader(new StringReader(line.text()))) {
      return reader.readObject();
    }
  }

  @Test
  void pinsTheForm() {
    AuditEvent event =
        new AuditEvent(
            AuditEvents.TIME,
            Action.EXECUTE,
            Optional.of(new Requester(new UserId("anna"), Set.of(), "agent", "192.0.2.1")),
            new Subject("s", "e", "c"),
            new Result("ok", "", OptionalLong.of(3), OptionalLong.of(4)));
    AuditLine line = AuditLine.after(new AuditLine(6, "", "f".repeat(64)), event);
    String chained =
        "{\"sequence\":7,\"time\":\"2026-11-30T12:00:00.120Z\",\"action\":\"execute\",\"outcome\":\"ok\","
            + "\"user\":\"anna\",\"client\":\"agent\",\"address\":\"192.0.2.1\",\"session\":\"s\","
            + "\"execution\":\"e\",\"code_sha256\":\"c\",\"bytes\":3,\"milliseconds\":4,\"previous\":\""
            + "f".repeat(64)
            + "\"";
    assertThat(line.text()).isEqualTo(chained + ",\"hash\":\"" + Sha256.hex(chained + "}") + "\"}");
    assertThat(line.sequence()).isEqualTo(7);
    assertThat(line.text()).endsWith(line.hash() + "\"}");
  }

  @Test
  void whatDoesNotApplyIsLeftOut() {
    AuditLine line =
        AuditLine.after(AuditLine.NONE, AuditEvent.log(AuditEvents.TIME, "opened", ""));
    assertThat(json(line).keySet())
        .containsExactly("sequence", "time", "action", "outcome", "previous", "hash");
    assertThat(json(line).getString("previous")).isEqualTo("0".repeat(64));
  }

  @Test
  void anyTextIsOneLineOfAsciiAndComesBack() {
    String odd = "a\"b\\c\n\r\u0000\u001b[31m é \u202e \ud83d\ude00 \ud800 \u007f";
    AuditEvent event =
        new AuditEvent(
            AuditEvents.TIME,
            Action.START,
            Optional.of(new Requester(new UserId(odd), Set.of(), odd, odd)),
            Subject.session("s"),
            Result.of("ok", odd));
    AuditLine line = AuditLine.after(AuditLine.NONE, event);
    assertThat(line.text()).matches("[ -~]+");
    assertThat(json(line).getString("user")).isEqualTo(odd);
    assertThat(AuditLine.parse(line.text())).contains(line);
  }

  @Test
  void whatIsTooLongIsCut() {
    AuditLine line =
        AuditLine.after(
            AuditLine.NONE, AuditEvent.log(AuditEvents.TIME, "failed", "x".repeat(10_000)));
    assertThat(json(line).getString("reason")).hasSize(256);
  }

  @Test
  void aChangedLineIsNone() {
    String text = AuditLine.after(AuditLine.NONE, AuditEvents.event("alpha")).text();
    assertThat(AuditLine.parse(text)).isPresent();
    assertThat(AuditLine.parse(text.replace("alpha", "alphb"))).isEmpty();
    assertThat(AuditLine.parse(text.substring(1))).isEmpty();
    assertThat(AuditLine.parse(text + " ")).isEmpty();
    assertThat(AuditLine.parse("")).isEmpty();
  }
}
