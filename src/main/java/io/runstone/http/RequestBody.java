package io.runstone.http;

import io.runstone.config.Settings;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.Semaphore;

/** Reads request bodies without letting a client decide how much memory that takes. */
public final class RequestBody {
  private static final int SMALL = 256 * 1024;

  /** How many large bodies are read at once, so that unfinished ones can't fill the heap. */
  private static final Semaphore LARGE = new Semaphore(16);

  private RequestBody() {}

  /** Too many large bodies are being read; to be answered with 503. */
  public static final class BusyException extends IOException {
    private static final long serialVersionUID = 1L;

    BusyException() {
      super("too many large requests are being sent to this server; try again");
    }
  }

  /** The body did not arrive in time; to be answered with 408. */
  public static final class TooSlowException extends IOException {
    private static final long serialVersionUID = 1L;

    TooSlowException(Duration patience) {
      super(
          "the request body did not arrive within "
              + patience.toSeconds()
              + " seconds (runstone.http.body-timeout)");
    }
  }

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
   * @throws BusyException if it is large, and many others are being read
   */
  public static byte[] read(InputStream body, int maxBytes) throws IOException {
    byte[] small = body.readNBytes(Math.min(SMALL, maxBytes) + 1);
    return small.length <= Math.min(SMALL, maxBytes) ? small : readLarge(small, body, maxBytes);
  }

  /**
   * Reads a whole body, as large and as slow as it may be.
   *
   * @throws TooSlowException if it does not arrive in time
   */
  public static byte[] read(InputStream body, Settings.Http settings) throws IOException {
    return read(new PatientInputStream(body, settings.bodyTimeout()), settings.maxBodyBytes());
  }

  private static byte[] readLarge(byte[] start, InputStream body, int maxBytes) throws IOException {
    if (start.length <= maxBytes && !LARGE.tryAcquire()) {
      throw new BusyException();
    }
    try {
      return whole(start, body, maxBytes);
    } finally {
      if (start.length <= maxBytes) {
        LARGE.release();
      }
    }
  }

  private static byte[] whole(byte[] start, InputStream body, int maxBytes) throws IOException {
    byte[] rest = body.readNBytes(maxBytes + 1 - start.length);
    byte[] bytes = Arrays.copyOf(start, start.length + rest.length);
    System.arraycopy(rest, 0, bytes, start.length, rest.length);
    if (bytes.length > maxBytes) {
      throw new TooLargeException(maxBytes);
    }
    return bytes;
  }
}
