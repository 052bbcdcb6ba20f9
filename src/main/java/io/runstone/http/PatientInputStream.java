package io.runstone.http;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;

/**
 * A body that has to arrive within a time. A thread that waits for the next bytes can't be woken,
 * so the time is looked at when some come, and when the server gives up; Payara does after 30 s
 * without any. Used by one thread.
 */
final class PatientInputStream extends FilterInputStream {
  private final Duration patience;
  private final long started = System.nanoTime();

  PatientInputStream(InputStream in, Duration patience) {
    super(in);
    this.patience = patience;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    int count;
    try {
      count = in.read(bytes, offset, length);
    } catch (IOException e) {
      check();
      throw e;
    }
    if (count >= 0) {
      check();
    }
    return count;
  }

  private void check() throws RequestBody.TooSlowException {
    if (System.nanoTime() - started >= patience.toNanos()) {
      throw new RequestBody.TooSlowException(patience);
    }
  }
}
