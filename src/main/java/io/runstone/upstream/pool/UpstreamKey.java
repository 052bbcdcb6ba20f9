package io.runstone.upstream.pool;

import io.runstone.security.UserId;
import io.runstone.upstream.ServerName;

/**
 * What tells sessions with upstream servers apart.
 *
 * @param owner what of the user's it belongs to; empty when it belongs to all of that
 * @param version of the user's credentials; a session of another version is not used any more
 */
record UpstreamKey(UserId user, String owner, ServerName server, long version) {
  private static final String EVERYTHING = "";

  /** The key of the session that everything of a user shares. */
  UpstreamKey shared() {
    return new UpstreamKey(user, EVERYTHING, server, version);
  }

  /** Whether everything of the user shares it. */
  boolean isShared() {
    return owner.equals(EVERYTHING);
  }

  boolean isOf(UserId someone, ServerName name) {
    return user.equals(someone) && server.equals(name);
  }
}
