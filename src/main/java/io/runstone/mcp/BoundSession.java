package io.runstone.mcp;

import io.modelcontextprotocol.spec.McpStreamableServerSession;
import io.runstone.security.UserId;

/** An MCP session and the user it belongs to; for anybody else it does not exist. Thread-safe. */
final class BoundSession {
  private final UserId user;
  private final McpStreamableServerSession session;
  private volatile long lastUsedNanos = System.nanoTime();

  BoundSession(UserId user, McpStreamableServerSession session) {
    this.user = user;
    this.session = session;
  }

  UserId user() {
    return user;
  }

  McpSessionId id() {
    return new McpSessionId(session.getId());
  }

  McpStreamableServerSession sdk() {
    return session;
  }

  void touch() {
    lastUsedNanos = System.nanoTime();
  }

  /** When the last request came, by {@link System#nanoTime}. */
  long lastUsedNanos() {
    return lastUsedNanos;
  }

  /** Whether no request came for that long and no stream is open. */
  boolean isIdleFor(long nanos) {
    return !session.hasOpenStream() && System.nanoTime() - lastUsedNanos >= nanos;
  }
}
