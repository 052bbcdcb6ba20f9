package io.runstone.session;

import io.runstone.security.UserId;
import java.util.UUID;

/** Which session of whom; what tells sessions apart on this server. */
public sealed interface SessionKey {
  /** Whose it is. */
  UserId user();

  /** A word for logs and administrators. */
  String label();

  /** A session that its user named; only these are listed and counted. */
  record Named(UserId user, SessionId id) implements SessionKey {
    @Override
    public String label() {
      return id.value();
    }
  }

  /** The session that belongs to an MCP session, for executions that name none. */
  record Implicit(UserId user, String mcpSessionId) implements SessionKey {
    @Override
    public String label() {
      return "mcp-implicit";
    }
  }

  /** A kernel for one execution. */
  record OneShot(UserId user, UUID id) implements SessionKey {
    @Override
    public String label() {
      return "one-shot";
    }
  }
}
