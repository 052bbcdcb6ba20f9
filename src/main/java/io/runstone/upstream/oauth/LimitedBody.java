package io.runstone.upstream.oauth;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * The body of an answer, given up once it is too large. Used by one answer, whose parts come one
 * after the other.
 */
final class LimitedBody implements HttpResponse.BodySubscriber<byte[]> {
  private final int maxBytes;
  private final ByteArrayOutputStream all = new ByteArrayOutputStream();
  private final CompletableFuture<byte[]> body = new CompletableFuture<>();
  private Flow.@Nullable Subscription subscription;

  /**
   * Creates it.
   *
   * @param maxBytes with 0 nothing is read at all
   */
  LimitedBody(int maxBytes) {
    this.maxBytes = maxBytes;
  }

  @Override
  public CompletionStage<byte[]> getBody() {
    return body;
  }

  @Override
  public void onSubscribe(Flow.Subscription now) {
    subscription = now;
    if (maxBytes == 0) {
      now.cancel();
      body.complete(new byte[0]);
    } else {
      now.request(Long.MAX_VALUE);
    }
  }

  @Override
  public void onNext(List<ByteBuffer> parts) {
    for (ByteBuffer part : parts) {
      if (all.size() + part.remaining() > maxBytes) {
        if (subscription != null) {
          subscription.cancel();
        }
        body.completeExceptionally(
            OAuthException.unusable("its answer is larger than " + maxBytes + " bytes"));
        return;
      }
      byte[] bytes = new byte[part.remaining()];
      part.get(bytes);
      all.writeBytes(bytes);
    }
  }

  @Override
  public void onError(Throwable trouble) {
    body.completeExceptionally(trouble);
  }

  @Override
  public void onComplete() {
    body.complete(all.toByteArray());
  }
}
