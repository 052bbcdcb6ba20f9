package io.runstone.security.audit;

import java.util.concurrent.CompletionStage;

/**
 * Where decisions are recorded. Thread-safe; no method waits for a disk but {@link #close}.
 *
 * <p>What is recorded is bounded. What finds no room is counted, and a line tells how much it was.
 */
public interface AuditLog extends AutoCloseable {
  /** Records nothing. */
  AuditLog OFF = new NoAuditLog();

  /** Records a decision; it is in the log soon. */
  void record(AuditEvent event);

  /**
   * Records that something is about to be done.
   *
   * @return completes when the file has the line, and fails with an {@link java.io.IOException} if
   *     it will not have it; to be waited for, not to be continued on the log's own thread
   */
  CompletionStage<Void> recordBefore(AuditEvent event);

  /**
   * Records the end of what was begun by {@link #recordBefore}. Always finds room: there are no
   * more ends than beginnings.
   */
  void recordEnd(AuditEvent event);

  /** Whether it works. */
  AuditState state();

  /** Writes what is left, waits for that a few seconds, and records nothing more. Idempotent. */
  @Override
  void close();
}
