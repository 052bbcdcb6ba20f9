package io.runstone.upstream.oauth;

import io.runstone.security.UserId;
import io.runstone.upstream.ServerName;
import java.util.List;

/** Whose consent to the use of which server. Immutable. */
public record GrantKey(UserId user, ServerName server) {
  /** The words that its file is under. */
  List<String> words() {
    return List.of("grant", user.value(), server.value());
  }
}
