package io.runstone.security;

/**
 * Who sent the current request. Every surface injects this port and asks it once, on the thread
 * that the container gave the request; what happens later carries the {@link UserId}.
 *
 * <p>There is one request-scoped adapter per kind of login.
 */
public interface Caller {

  /** Returns the user; never throws for a request that got past the login. */
  UserId user();
}
