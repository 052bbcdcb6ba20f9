package io.runstone.app;

import io.runstone.config.Settings;
import io.runstone.mcp.feature.Features;
import io.runstone.mcp.upstream.UpstreamFeatures;
import io.runstone.session.ExecutionCalls;
import io.runstone.upstream.Upstreams;
import io.runstone.upstream.code.CodeCalls;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** Lets code and agents of users call their upstream servers, if there are any. */
@ApplicationScoped
class CodeMode {
  @Produces
  @Singleton
  ExecutionCalls executionCalls(Instance<Upstreams> upstreams, Settings settings) {
    return new CodeCalls(known(upstreams), settings.upstream());
  }

  @Produces
  @Singleton
  Features upstreamFeatures(Instance<Upstreams> upstreams, Settings settings) {
    return settings.upstream().file().isPresent()
        ? new UpstreamFeatures(known(upstreams), settings.outputs().shownChars())
        : new Features() {};
  }

  private static Upstreams known(Instance<Upstreams> upstreams) {
    return upstreams.isResolvable() ? upstreams.get() : Upstreams.NONE;
  }
}
