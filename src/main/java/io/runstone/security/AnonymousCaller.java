package io.runstone.security;

import jakarta.enterprise.context.RequestScoped;

/** The adapter for a server without login: everyone is the same user. */
@RequestScoped
class AnonymousCaller implements Caller {

  @Override
  public UserId user() {
    return UserId.ANONYMOUS;
  }
}
