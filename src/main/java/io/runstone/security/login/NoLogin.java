package io.runstone.security.login;

import io.runstone.security.Requester;
import io.runstone.security.UserId;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.regex.Pattern;

/**
 * No login: everybody is the same user. A request that came in over the network is refused, so that
 * a port which was opened by mistake gives nobody a Python. Immutable.
 *
 * @param fromTheNetwork whether the administrator wants it all the same
 */
public record NoLogin(boolean fromTheNetwork) implements Authenticator {
  private static final Pattern LOOPBACK =
      Pattern.compile("(::ffff:)?127(\\.\\d{1,3}){3}|::1|0:0:0:0:0:0:0:1");

  @Override
  public Login authenticate(HttpServletRequest request, HttpServletResponse response) {
    if (!fromTheNetwork && !isLoopback(String.valueOf(request.getLocalAddr()))) {
      return new Login.Forbidden(
          "this server has no login and answers its own machine only; an administrator can set"
              + " runstone.auth to api-key, jwt or container, or"
              + " runstone.auth.allow-anonymous-from-the-network=true");
    }
    return new Login.Accepted(Requester.of(UserId.ANONYMOUS).at(request.getRemoteAddr()));
  }

  /** Of the address that the request arrived at, which its sender can't choose freely. */
  static boolean isLoopback(String address) {
    int zone = address.indexOf('%');
    return LOOPBACK.matcher(zone < 0 ? address : address.substring(0, zone)).matches();
  }
}
