package io.runstone.security.audit;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** What an administrator gets who wants no audit. Immutable. */
final class NoAuditLog implements AuditLog {
  @Override
  public void record(AuditEvent event) {}

  @Override
  public CompletionStage<Void> recordBefore(AuditEvent event) {
    return CompletableFuture.completedStage(null);
  }

  @Override
  public void recordEnd(AuditEvent event) {}

  @Override
  public AuditState state() {
    return AuditState.OFF;
  }

  @Override
  public void close() {}
}
