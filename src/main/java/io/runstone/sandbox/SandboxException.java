package io.runstone.sandbox;

/** A sandbox or interpreter that cannot be used; the message says why and tells the cure. */
public class SandboxException extends Exception {
  private static final long serialVersionUID = 1L;

  /** With a message for the administrator. */
  public SandboxException(String message) {
    super(message);
  }

  /** With a message for the administrator and what led to it. */
  public SandboxException(String message, Throwable cause) {
    super(message, cause);
  }
}
