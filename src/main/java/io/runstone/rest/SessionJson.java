package io.runstone.rest;

import io.runstone.session.SessionInfo;
import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonObject;
import java.util.List;

/** Renders sessions. Pure. */
final class SessionJson {
  private SessionJson() {}

  static JsonObject active(SessionInfo session) {
    return of(session, "active");
  }

  static JsonObject stopped(SessionInfo session) {
    return of(session, "stopped");
  }

  static JsonObject list(List<SessionInfo> sessions) {
    JsonArrayBuilder all = JsonAnswer.array();
    sessions.stream().map(SessionJson::active).forEach(all::add);
    return JsonAnswer.object().add("sessions", all).build();
  }

  /** The time is RFC 3339 in UTC, which is what an instant's text is. */
  private static JsonObject of(SessionInfo session, String status) {
    return JsonAnswer.object()
        .add("session_id", session.key().label())
        .add("status", status)
        .add("created_at", session.createdAt().toString())
        .build();
  }
}
