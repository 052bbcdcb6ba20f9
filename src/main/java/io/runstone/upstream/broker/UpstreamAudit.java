package io.runstone.upstream.broker;

import io.runstone.concurrent.Causes;
import io.runstone.security.audit.AuditEvent;
import io.runstone.security.audit.AuditEvent.Action;
import io.runstone.security.audit.AuditEvent.Result;
import io.runstone.security.audit.AuditEvent.Subject;
import io.runstone.security.audit.AuditLog;
import io.runstone.upstream.UpstreamCall;
import io.runstone.upstream.UpstreamCaller;
import io.runstone.upstream.UpstreamException;
import io.runstone.upstream.UpstreamResult;
import java.time.Clock;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Tells the audit log of calls of upstream tools. Thread-safe. */
record UpstreamAudit(AuditLog log, Clock clock, LongSupplier nanoTime) {

  /** Records how a call ended. */
  void ended(
      UpstreamCaller caller,
      UpstreamCall call,
      long began,
      @Nullable UpstreamResult result,
      @Nullable Throwable failure) {
    long millis = TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong() - began);
    Result ended =
        result == null
            ? Result.of(outcome(failure), "").took(millis)
            : new Result(
                result.isError() ? "tool_error" : "ok",
                "",
                OptionalLong.of(result.bytes()),
                OptionalLong.of(millis));
    // The tool's name is the caller's own word until the server has taken it.
    String tool = call.server() + "/" + call.tool();
    log.record(
        new AuditEvent(
            clock.instant(),
            Action.CALL,
            Optional.of(caller.requester()),
            new Subject(caller.owner(), caller.execution(), "", tool),
            ended));
  }

  private static String outcome(@Nullable Throwable failure) {
    return failure != null && Causes.of(failure) instanceof UpstreamException upstream
        ? upstream.kind().label()
        : "failed";
  }
}
