package io.runstone.security.login;

import io.runstone.security.Requester;
import io.runstone.security.Scope;
import io.runstone.security.UserId;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.security.Principal;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The server's own login: its users, and of its roles those that are named as a scope. Stateless.
 */
public final class ContainerLogin implements Authenticator {
  private static final System.Logger LOG = System.getLogger(ContainerLogin.class.getName());

  @Override
  public Login authenticate(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (request.getUserPrincipal() == null && !asked(request, response)) {
      return response.isCommitted() || response.getStatus() != HttpServletResponse.SC_OK
          ? new Login.Answered()
          : new Login.Missing();
    }
    Principal principal = request.getUserPrincipal();
    if (principal == null || principal.getName() == null || !UserId.isOne(principal.getName())) {
      return new Login.Missing();
    }
    Set<Scope> scopes =
        Arrays.stream(Scope.values())
            .filter(scope -> request.isUserInRole(scope.label()))
            .collect(Collectors.toSet());
    return new Login.Accepted(
        new Requester(new UserId(principal.getName()), scopes, "", request.getRemoteAddr()));
  }

  /** Has the server ask for a login in its own way. */
  private static boolean asked(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    try {
      return request.authenticate(response);
    } catch (ServletException e) { // also when no login is configured; its text may be anything
      LOG.log(System.Logger.Level.DEBUG, "the server could not log a request in");
      return false;
    }
  }
}
