package io.runstone.session;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * The name of a session, unique among those of its user.
 *
 * @param value letters, digits, {@code _ . -}, starting with a letter or digit, at most 64
 */
public record SessionId(String value) {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final Pattern VALID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,63}");

  /**
   * Checks the name.
   *
   * @throws SessionException with {@link SessionException.Category#BAD_ID}
   */
  public SessionId {
    if (!VALID.matcher(value).matches()) {
      throw new SessionException(
          SessionException.Category.BAD_ID,
          "a session_id is 1 to 64 letters, digits, '_', '.' or '-', and starts with a letter or digit");
    }
  }

  /** Returns a new name. */
  public static SessionId generate() {
    byte[] random = new byte[6];
    RANDOM.nextBytes(random);
    return new SessionId("session_" + HexFormat.of().formatHex(random));
  }

  @Override
  public String toString() {
    return value;
  }
}
