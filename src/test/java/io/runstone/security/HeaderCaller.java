package io.runstone.security;

import jakarta.annotation.Priority;
import jakarta.enterprise.context.RequestScoped;
import jakarta.enterprise.inject.Alternative;
import jakarta.inject.Inject;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;

/** For tests only: the caller is whoever the header {@code X-Test-User} says. */
@Alternative
@Priority(1)
@RequestScoped
public class HeaderCaller implements Caller {
  @Inject private HttpServletRequest request;

  @Override
  public Requester requester() {
    return Requester.of(
        new UserId(Optional.ofNullable(request.getHeader("X-Test-User")).orElse("nobody")));
  }
}
