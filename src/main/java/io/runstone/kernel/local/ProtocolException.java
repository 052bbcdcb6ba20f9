package io.runstone.kernel.local;

import java.io.IOException;

/** A kernel sent what no kernel of ours sends; it is not to be used any more. */
final class ProtocolException extends IOException {
  private static final long serialVersionUID = 1L;

  ProtocolException(String message) {
    super(message);
  }
}
