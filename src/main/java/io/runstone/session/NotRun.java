package io.runstone.session;

import io.runstone.kernel.ExecutionId;
import io.runstone.kernel.ExecutionResult;
import io.runstone.kernel.SessionState;

/** Results of code of which nothing was run, each with the reason. Pure. */
final class NotRun {
  private NotRun() {}

  /** Whoever sent it cancelled it while it waited. */
  static ExecutionResult cancelled(ExecutionId id, String reason) {
    return ExecutionResult.rejected(
        id,
        SessionState.PRESERVED,
        "The code was cancelled before it could run" + reason + ". It was not run");
  }

  /** It waited behind a cell when something happened to the session. */
  static ExecutionResult skipped(ExecutionId id, SessionQueue.Skipped why) {
    return why == SessionQueue.Skipped.RESTARTED
        ? ExecutionResult.rejected(
            id,
            SessionState.LOST,
            "The session was restarted before this code could run. It was not run")
        : ExecutionResult.rejected(
            id,
            SessionState.PRESERVED,
            "The server was drained before this code could run. It was not run");
  }

  /** The disk is too full to run anything. */
  static ExecutionResult noRoom(ExecutionId id) {
    return ExecutionResult.rejected(
        id,
        SessionState.PRESERVED,
        "The server's disk has less free space than it must have"
            + " (runstone.workspace.min-free-bytes). This code was not run");
  }

  /** An MCP session's own session is gone, and its client does not know. */
  static ExecutionResult lost(ExecutionId id) {
    return ExecutionResult.rejected(
        id,
        SessionState.LOST,
        "This connection's own session was ended, because it was unused or the server was full."
            + " This code was not run; the next will get a fresh session");
  }
}
