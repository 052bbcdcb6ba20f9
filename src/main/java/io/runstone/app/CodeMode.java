package io.runstone.app;

import io.runstone.config.Settings;
import io.runstone.mcp.feature.Features;
import io.runstone.mcp.upstream.UpstreamFeatures;
import io.runstone.session.ExecutionCalls;
import io.runstone.upstream.Upstreams;
import io.runstone.upstream.code.CodeCalls;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** Lets code and agents of users call their upstream servers, if there are any. */
@ApplicationScoped
class CodeMode {
  @Produces
  @Singleton
  ExecutionCalls executionCalls(Upstreams upstreams, Settings settings) {
    return new CodeCalls(upstreams, settings.upstream());
  }

  @Produces
  @Singleton
  Features upstreamFeatures(Upstreams upstreams, Settings settings) {
    return settings.upstream().file().isPresent()
        ? new UpstreamFeatures(upstreams, settings.outputs().shownChars())
        : new Features() {};
  }
}
