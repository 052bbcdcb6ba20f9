package io.runstone.security;

/**
 * Who sent the current request. Every surface injects this port and asks it once, on the thread
 * that the container gave the request; what happens later carries the {@link Requester}.
 *
 * <p>The login has found that out before; its filter lets no other request through.
 */
public interface Caller {

  /** Returns who it is; never throws for a request that got past the login. */
  Requester requester();

  /** Returns the user. */
  default UserId user() {
    return requester().user();
  }
}
