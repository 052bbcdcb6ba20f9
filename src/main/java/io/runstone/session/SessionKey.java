package io.runstone.session;

import io.runstone.security.Sha256;
import io.runstone.security.UserId;
import java.util.UUID;

/** Which session of whom; what tells sessions apart on this server. */
public sealed interface SessionKey {
  /** Whose it is. */
  UserId user();

  /** A word for logs and administrators. */
  String label();

  /**
   * Its id as administrators and the audit see it. Those that have no name have a colon in it,
   * which no name contains. Of an MCP session's id it is only a digest, for whoever knows the id
   * itself can use that MCP session.
   */
  String shown();

  /** A session that its user named; only these are listed and counted. */
  record Named(UserId user, SessionId id) implements SessionKey {
    @Override
    public String label() {
      return id.value();
    }

    @Override
    public String shown() {
      return id.value();
    }
  }

  /** The session that belongs to an MCP session, for executions that name none. */
  record Implicit(UserId user, String mcpSessionId) implements SessionKey {
    @Override
    public String label() {
      return "mcp-implicit";
    }

    @Override
    public String shown() {
      return "mcp:" + Sha256.hex(mcpSessionId).substring(0, 12);
    }
  }

  /** A kernel for one execution. */
  record OneShot(UserId user, UUID id) implements SessionKey {
    @Override
    public String label() {
      return "one-shot";
    }

    @Override
    public String shown() {
      return "once:" + id;
    }
  }
}
