package io.runstone.upstream;

import java.util.List;

/** The port to what the administrator declared. Thread-safe; never waits. */
@FunctionalInterface
public interface DeclaredServers {
  /** The servers that are declared at the moment. */
  List<UpstreamServer> all();
}
