package io.runstone.kernel;

/** A kernel could not be started. The message says why, and what to do about it. */
public class KernelException extends Exception {
  private static final long serialVersionUID = 1L;

  /** Creates the exception. */
  public KernelException(String message) {
    super(message);
  }

  /** Creates the exception. */
  public KernelException(String message, Throwable cause) {
    super(message, cause);
  }
}
