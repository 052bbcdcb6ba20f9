package io.runstone.session;

/** Where an execution is to run. */
public sealed interface ExecutionTarget {

  /** In the caller's session of that name. */
  record Named(SessionId id) implements ExecutionTarget {}

  /** In the session that belongs to an MCP session of the caller; made when it is not there yet. */
  record Implicit(String mcpSessionId) implements ExecutionTarget {}

  /** In a clean kernel of its own. */
  record OneShot() implements ExecutionTarget {}
}
