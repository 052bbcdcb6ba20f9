package io.runstone.security;

import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.servlet.http.HttpServletRequest;

/** The adapter for a server without login: everyone is the same user. */
@RequestScoped
class AnonymousCaller implements Caller {
  @Inject private HttpServletRequest request;

  @Override
  public Requester requester() {
    return Requester.of(UserId.ANONYMOUS).at(request.getRemoteAddr());
  }
}
