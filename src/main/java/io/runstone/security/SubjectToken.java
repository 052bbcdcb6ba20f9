package io.runstone.security;

/**
 * The token that a request was sent with, kept only to be exchanged for others (RFC 8693); it is
 * never passed on, and shows itself to nobody. Immutable.
 */
public final class SubjectToken {
  private final String value;

  /** Keeps a token. */
  public SubjectToken(String value) {
    this.value = value;
  }

  /** The token, for the one who exchanges it. */
  public String reveal() {
    return value;
  }

  @Override
  public String toString() {
    return "SubjectToken[hidden]";
  }
}
