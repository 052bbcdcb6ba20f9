package io.runstone.security;

import java.io.IOException;
import java.io.InputStream;

/** Reads request bodies without letting a client decide how much memory that takes. */
public final class RequestBody {
  private RequestBody() {}

  /** The body is larger than the bound; to be answered with 413. */
  public static final class TooLargeException extends IOException {
    private static final long serialVersionUID = 1L;

    TooLargeException(int maxBytes) {
      super(
          "the request body is larger than "
              + maxBytes
              + " bytes; an administrator can raise runstone.http.max-body-bytes");
    }
  }

  /**
   * Reads a whole body.
   *
   * @throws TooLargeException after at most {@code maxBytes + 1} bytes
   */
  public static byte[] read(InputStream body, int maxBytes) throws IOException {
    byte[] bytes = body.readNBytes(maxBytes + 1);
    if (bytes.length > maxBytes) {
      throw new TooLargeException(maxBytes);
    }
    return bytes;
  }
}
