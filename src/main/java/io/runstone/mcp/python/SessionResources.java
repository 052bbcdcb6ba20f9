package io.runstone.mcp.python;

import io.modelcontextprotocol.json.McpJsonMapper;
import io.runstone.mcp.feature.ResourceData;
import io.runstone.mcp.feature.ResourceInfo;
import io.runstone.mcp.feature.ResourceTemplate;
import io.runstone.mcp.feature.Resources;
import io.runstone.security.Scope;
import io.runstone.security.UserId;
import io.runstone.session.SessionInfo;
import io.runstone.session.SessionManager;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/** The user's sessions as one resource. Thread-safe. */
public final class SessionResources implements Resources {
  private static final String URI = "runstone://sessions";
  private static final String JSON = "application/json";

  private final SessionManager sessions;
  private final McpJsonMapper json;

  /** The sessions of a manager. */
  public SessionResources(SessionManager sessions, McpJsonMapper json) {
    this.sessions = sessions;
    this.json = json;
  }

  @Override
  public Optional<Scope> scope() {
    return Optional.of(Scope.SESSIONS);
  }

  @Override
  public boolean isOne(String uri) {
    return uri.equals(URI);
  }

  @Override
  public List<ResourceTemplate> templates() {
    return List.of();
  }

  @Override
  public List<ResourceInfo> list(UserId user) {
    String version =
        sessions.list(user).stream()
            .map(info -> info.key().label() + info.createdAt())
            .collect(Collectors.joining(" "));
    return List.of(
        new ResourceInfo(
            URI, "sessions", "Your Python sessions.", JSON, OptionalLong.empty(), version));
  }

  @Override
  public Optional<ResourceData> read(UserId user, String uri) throws IOException {
    if (!uri.equals(URI)) {
      return Optional.empty();
    }
    List<Map<String, Object>> all =
        sessions.list(user).stream().map(SessionResources::form).toList();
    return Optional.of(
        ResourceData.text(URI, JSON, json.writeValueAsString(Map.of("sessions", all))));
  }

  private static Map<String, Object> form(SessionInfo info) {
    return Map.of(
        "session_id",
        info.key().label(),
        "status",
        "active",
        "created_at",
        info.createdAt().toString());
  }
}
