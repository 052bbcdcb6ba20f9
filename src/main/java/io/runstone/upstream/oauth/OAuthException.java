package io.runstone.upstream.oauth;

/**
 * An authorization server that says no, can't be reached, or says what can't be used. The message
 * is the end of a sentence in our own words: nothing of the answer is in it but an error's code.
 */
public final class OAuthException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String code;

  private OAuthException(String code, String message) {
    super(message);
    this.code = code;
  }

  /** There is no usable answer. */
  static OAuthException unusable(String message) {
    return new OAuthException("", message);
  }

  /** It answers with an error of RFC 6749, section 5.2. */
  static OAuthException refused(String code) {
    String shown = code.matches("[a-z_]{1,64}") ? code : "an error without a name";
    return new OAuthException(shown, "it refuses: " + shown);
  }

  /** The error's name; empty if there is no usable answer. */
  public String code() {
    return code;
  }

  /** Whether what was consented to does not count any more. */
  boolean isInvalidGrant() {
    return code.equals("invalid_grant");
  }
}
