package io.runstone.upstream.code;

import io.runstone.config.Settings;
import io.runstone.kernel.HostCalls;
import io.runstone.session.ExecutionCalls;
import io.runstone.session.SessionKey;
import io.runstone.upstream.UpstreamCaller;
import io.runstone.upstream.Upstreams;
import java.util.function.Consumer;

/** Lets the code of each execution call its user's upstream servers. Thread-safe. */
public final class CodeCalls implements ExecutionCalls {
  private final Upstreams upstreams;
  private final Settings.Upstream settings;

  /** Lets code call these servers. */
  public CodeCalls(Upstreams upstreams, Settings.Upstream settings) {
    this.upstreams = upstreams;
    this.settings = settings;
  }

  @Override
  public HostCalls open(Origin origin, Consumer<String> progress) {
    UpstreamCaller caller =
        new UpstreamCaller(origin.requester(), owner(origin.session()), origin.execution().value());
    return new PacedCalls(
        new UpstreamRequests(upstreams, caller, progress),
        settings.callsPerExecution(),
        settings.parallelCalls());
  }

  @Override
  public void ended(SessionKey session) {
    upstreams.release(session.user(), owner(session));
  }

  /** What is shown of a key tells it from the user's others; agents' own calls have "direct:". */
  static String owner(SessionKey session) {
    return session.shown();
  }
}
