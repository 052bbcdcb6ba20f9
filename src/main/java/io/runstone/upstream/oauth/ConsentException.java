package io.runstone.upstream.oauth;

/** Consent that did not come about; the message is for the user who is in a browser. */
public final class ConsentException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Says why, in sentences that tell the cure. */
  public ConsentException(String message) {
    super(message);
  }
}
