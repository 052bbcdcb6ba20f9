package io.runstone.security.audit;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A line that waits to be written.
 *
 * @param event what it says
 * @param first waits for it to be written; empty for what happened in any case
 */
record AuditEntry(AuditEvent event, Optional<CompletableFuture<Void>> first) {
  AuditEntry(AuditEvent event) {
    this(event, Optional.empty());
  }

  void written() {
    first.ifPresent(waiting -> waiting.complete(null));
  }

  /**
   * Gives the line up, if somebody waits for it and so can do without what it tells of.
   *
   * @return whether it is given up
   */
  boolean giveUp(Exception why) {
    first.ifPresent(
        waiting -> waiting.completeExceptionally(new IOException("the line is not written", why)));
    return first.isPresent();
  }
}
