package io.runstone.http;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;

/**
 * Takes a body as it comes, without a thread that waits for it. The container calls it from one
 * thread at a time; the result can be asked for from any.
 */
final class BodyListener implements ReadListener {
  private final ServletInputStream in;
  private final int maxBytes;
  private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
  private final byte[] buffer = new byte[8192];
  private final CompletableFuture<byte[]> body = new CompletableFuture<>();
  private final RequestBody.Permit permit = new RequestBody.Permit();

  BodyListener(ServletInputStream in, int maxBytes) {
    this.in = in;
    this.maxBytes = maxBytes;
    body.whenComplete((bytes, failure) -> permit.release());
  }

  CompletableFuture<byte[]> body() {
    return body;
  }

  @Override
  public void onDataAvailable() throws IOException {
    while (!body.isDone() && in.isReady()) {
      int count = in.read(buffer);
      if (count < 0) {
        return;
      }
      taken.write(buffer, 0, count);
      if (taken.size() > maxBytes) {
        body.completeExceptionally(new RequestBody.TooLargeException(maxBytes));
      } else if (!permit.suffices(taken.size())) {
        body.completeExceptionally(new RequestBody.BusyException());
      }
    }
  }

  @Override
  public void onAllDataRead() {
    body.complete(taken.toByteArray());
  }

  @Override
  public void onError(Throwable problem) {
    body.completeExceptionally(
        problem instanceof IOException ? problem : new IOException("the body broke off", problem));
  }
}
