package io.runstone.mcp.feature;

import io.runstone.security.UserId;
import java.util.Optional;

/** Something that clients may have asked to be told of. Immutable. */
public sealed interface Change {
  /** The list of tools is another. */
  record Tools() implements Change {}

  /** The list of prompts is another. */
  record Prompts() implements Change {}

  /** A user's list of resources is another. */
  record ResourceList(UserId user) implements Change {}

  /** A user's resource has another content. */
  record Resource(UserId user, String uri) implements Change {}

  /** Whose concern it is; everybody's when empty. */
  default Optional<UserId> concerns() {
    if (this instanceof ResourceList list) {
      return Optional.of(list.user());
    } else if (this instanceof Resource resource) {
      return Optional.of(resource.user());
    }
    return Optional.empty();
  }
}
