package io.runstone.security;

/**
 * The stable name of a user. Everything that belongs to someone is keyed by it.
 *
 * @param value not blank, at most 256 characters
 */
public record UserId(String value) {
  /** Who everybody is while no login is configured. */
  public static final UserId ANONYMOUS = new UserId("anonymous");

  private static final int MAX_LENGTH = 256;

  public UserId {
    if (value.isBlank() || value.length() > MAX_LENGTH) {
      throw new IllegalArgumentException("a user id has 1 to " + MAX_LENGTH + " characters");
    }
  }

  /**
   * Whether what a login says can be a user's name; control characters would forge lines of a log.
   */
  public static boolean isOne(String name) {
    return !name.isBlank()
        && name.length() <= MAX_LENGTH
        && name.chars().noneMatch(Character::isISOControl);
  }

  @Override
  public String toString() {
    return value;
  }
}
