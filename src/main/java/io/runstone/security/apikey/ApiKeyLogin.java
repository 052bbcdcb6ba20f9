package io.runstone.security.apikey;

import io.runstone.security.Requester;
import io.runstone.security.login.Authenticator;
import io.runstone.security.login.Credential;
import io.runstone.security.login.Login;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;

/** Login by a key in {@code X-API-Key} or {@code Authorization: Bearer}. Thread-safe. */
public final class ApiKeyLogin implements Authenticator {
  private static final String CLIENT = "key ";

  private final KeyFile file;

  /** Takes the keys of a file. */
  public ApiKeyLogin(Path path, Clock clock) {
    this.file = new KeyFile(path, clock);
  }

  @Override
  public Login authenticate(HttpServletRequest request, HttpServletResponse response) {
    List<String> keys = Credential.keys(request);
    if (keys.isEmpty()) {
      return new Login.Missing();
    } else if (keys.size() > 1) {
      return new Login.Rejected("this request has more than one key; send one");
    }
    return check(keys.get(0), request.getRemoteAddr());
  }

  /**
   * Whose a key is.
   *
   * @param address where it came from
   */
  public Login check(String key, String address) {
    return file.find(key)
        .<Login>map(line -> new Login.Accepted(requester(line, address)))
        .orElseGet(() -> new Login.Rejected("this key is not one of this server, or not any more"));
  }

  /** Whether the key that somebody was accepted for is still there, and may what it might. */
  public boolean stands(Requester accepted) {
    return accepted.client().startsWith(CLIENT)
        && file.withId(accepted.client().substring(CLIENT.length()))
            .map(line -> requester(line, accepted.address()))
            .filter(accepted::equals)
            .isPresent();
  }

  /** The client is the key, by its public part: a user may have several. */
  private static Requester requester(KeyLine line, String address) {
    return new Requester(
        line.user(),
        line.scopes(),
        CLIENT + line.id(),
        address,
        line.upstreams(),
        Optional.empty());
  }
}
