package io.runstone.security.login;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.security.enterprise.AuthenticationStatus;
import jakarta.security.enterprise.authentication.mechanism.http.HttpAuthenticationMechanism;
import jakarta.security.enterprise.authentication.mechanism.http.HttpMessageContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * For tests only: a login of Jakarta Security that believes the header {@code X-Test-Login}, a name
 * and its roles.
 */
@ApplicationScoped
public class HeaderMechanism implements HttpAuthenticationMechanism {
  @Override
  public AuthenticationStatus validateRequest(
      HttpServletRequest request, HttpServletResponse response, HttpMessageContext context) {
    String header = request.getHeader("X-Test-Login");
    if (header == null) {
      return context.isProtected() ? context.responseUnauthorized() : context.doNothing();
    }
    List<String> words = Arrays.asList(header.split(" ", -1));
    Set<String> roles = new LinkedHashSet<>(words.subList(1, words.size()));
    return context.notifyContainerAboutLogin(words.get(0), roles);
  }
}
