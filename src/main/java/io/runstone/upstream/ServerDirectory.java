package io.runstone.upstream;

import java.util.List;
import java.util.Optional;

/** The port to what servers there are now. Thread-safe. */
public interface ServerDirectory {
  /** There are none. */
  ServerDirectory EMPTY = List::of;

  /** Every server, by name. */
  List<UpstreamServer> servers();

  /** Why what was declared last can't be used, so that something older is in force. */
  default Optional<String> trouble() {
    return Optional.empty();
  }

  /** Looks what is declared now; may wait for a disk. */
  default void refresh() {}

  /** The same, if it may be another than before. */
  default void refreshIfChanged() {}

  /** The server of a name. */
  default Optional<UpstreamServer> find(ServerName name) {
    return servers().stream().filter(server -> server.name().equals(name)).findFirst();
  }
}
