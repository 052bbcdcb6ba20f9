package io.runstone.admin;

import io.runstone.session.SessionEvent;
import io.runstone.session.SessionListener;
import io.runstone.session.StopReason;
import java.util.concurrent.atomic.LongAdder;

/** Counts what happened to sessions since deployment. Thread-safe. */
final class SessionTotals implements SessionListener {
  private final LongAdder started = new LongAdder();
  private final LongAdder stopped = new LongAdder();
  private final LongAdder died = new LongAdder();
  private final LongAdder refused = new LongAdder();

  @Override
  public void onEvent(SessionEvent event) {
    if (event instanceof SessionEvent.Started) {
      started.increment();
    } else if (event instanceof SessionEvent.Stopped end
        && end.reason() != StopReason.START_FAILED) {
      stopped.increment();
    } else if (event instanceof SessionEvent.KernelDied) {
      died.increment();
    } else if (event instanceof SessionEvent.LimitReached) {
      refused.increment();
    }
  }

  long started() {
    return started.sum();
  }

  long stopped() {
    return stopped.sum();
  }

  long died() {
    return died.sum();
  }

  long refused() {
    return refused.sum();
  }
}
