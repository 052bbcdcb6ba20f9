package io.runstone.mcp.feature;

import io.runstone.security.Scope;
import io.runstone.security.UserId;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** One kind of resources. Thread-safe. */
public interface Resources {
  /** What somebody has to be allowed to see any of them; nothing when empty. */
  default Optional<Scope> scope() {
    return Optional.empty();
  }

  /** Whether a URI is one of this kind, whoever has such a resource. */
  default boolean isOne(String uri) {
    return false;
  }

  /** The forms of their URIs. */
  List<ResourceTemplate> templates();

  /**
   * Those of a user, in an order that stays. May read files.
   *
   * @throws IOException if that fails
   */
  List<ResourceInfo> list(UserId user) throws IOException;

  /**
   * Reads one; empty when this user has no such resource, whatever the reason. May read files.
   *
   * @throws IOException if it is there but can't be read
   */
  Optional<ResourceData> read(UserId user, String uri) throws IOException;
}
