package io.runstone.security;

import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.servlet.http.HttpServletRequest;

/** Who the login found out to have sent the request. */
@RequestScoped
class AuthenticatedCaller implements Caller {
  @Inject private HttpServletRequest request;

  @Override
  public Requester requester() {
    if (request.getAttribute(Requester.ATTRIBUTE) instanceof Requester requester) {
      return requester;
    }
    throw new IllegalStateException("a request got past the login without one");
  }
}
