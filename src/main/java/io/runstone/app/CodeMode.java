package io.runstone.app;

import io.runstone.config.Settings;
import io.runstone.session.ExecutionCalls;
import io.runstone.upstream.Upstreams;
import io.runstone.upstream.code.CodeCalls;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** Lets code of users call their upstream servers, if there are any. */
@ApplicationScoped
class CodeMode {
  @Produces
  @Singleton
  ExecutionCalls executionCalls(Instance<Upstreams> upstreams, Settings settings) {
    return new CodeCalls(known(upstreams), settings.upstream());
  }

  private static Upstreams known(Instance<Upstreams> upstreams) {
    return upstreams.isResolvable() ? upstreams.get() : Upstreams.NONE;
  }
}
