package io.runstone.upstream.vault;

/** A secret that can't be had; the message tells the cure and holds nothing of the secret. */
public final class UnusableSecretException extends Exception {
  private static final long serialVersionUID = 1L;

  UnusableSecretException(String message) {
    super(message);
  }
}
