package io.runstone.sandbox;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Tells once when the first byte has been read. For one reader at a time, as any stream. */
final class FirstByteInputStream extends FilterInputStream {
  private final Runnable onFirst;
  private boolean told;

  FirstByteInputStream(InputStream in, Runnable onFirst) {
    super(in);
    this.onFirst = onFirst;
  }

  @Override
  public int read() throws IOException {
    int value = super.read();
    tell(value >= 0);
    return value;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    int count = super.read(buffer, offset, length);
    tell(count > 0);
    return count;
  }

  private void tell(boolean any) {
    if (any && !told) {
      told = true;
      onFirst.run();
    }
  }
}
