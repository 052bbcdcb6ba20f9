package io.runstone.http;

import io.runstone.concurrent.Threads;
import io.runstone.config.Settings;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Every request that is on its way without a container thread, the threads that write responses,
 * and the clock that keeps quiet ones alive; from deployment to undeployment. Thread-safe.
 */
public final class Exchanges implements AutoCloseable {
  private static final Duration TICK = Duration.ofMillis(100);

  /** Only what is being written takes a thread, so this many clients may be slow at once. */
  private static final int MAX_WRITERS = 256;

  private final Settings.Http settings;
  private final ThreadPoolExecutor writers;
  private final ScheduledThreadPoolExecutor timer;
  private final Set<ResponseStream> streams = ConcurrentHashMap.newKeySet();

  /** Takes its threads. */
  public Exchanges(Settings.Http settings, Threads threads) {
    this.settings = settings;
    this.writers = threads.elastic("http-writer", MAX_WRITERS);
    this.timer = threads.timer("http-timer");
    timer.scheduleWithFixedDelay(
        () -> {
          long now = System.nanoTime();
          streams.forEach(stream -> stream.tick(now));
        },
        TICK.toMillis(),
        TICK.toMillis(),
        TimeUnit.MILLISECONDS);
  }

  /**
   * Takes a request off the container's thread, which has to be the caller. A body that has arrived
   * is read at once; what is still to come is awaited by nobody, and given up after the time for
   * that.
   *
   * @throws IOException if what is there can't be read
   */
  public Exchange start(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    ServletInputStream in = request.getInputStream();
    AsyncContext async = request.startAsync();
    async.setTimeout(0);
    ResponseStream stream = new ResponseStream(async, response.getOutputStream(), writers);
    async.addListener(stream);
    streams.add(stream);
    stream.whenEnded().thenRun(() -> streams.remove(stream));
    return new Exchange(response, stream, body(request, in));
  }

  private CompletionStage<byte[]> body(HttpServletRequest request, ServletInputStream in) {
    long length = request.getContentLengthLong();
    int max = settings.maxBodyBytes();
    try {
      if (length > max) {
        return CompletableFuture.failedStage(new RequestBody.TooLargeException(max));
      } else if (length >= 0 && in.available() >= length) {
        return CompletableFuture.completedStage(in.readNBytes((int) length));
      }
    } catch (IOException e) {
      return CompletableFuture.failedStage(e);
    }
    BodyListener listener = new BodyListener(in, max);
    in.setReadListener(listener);
    ScheduledFuture<?> deadline =
        timer.schedule(
            () ->
                listener
                    .body()
                    .completeExceptionally(
                        new RequestBody.TooSlowException(settings.bodyTimeout())),
            settings.bodyTimeout().toMillis(),
            TimeUnit.MILLISECONDS);
    return listener.body().whenComplete((bytes, failure) -> deadline.cancel(false));
  }

  /** The clock of exchanges, for short tasks that never block. */
  public ScheduledThreadPoolExecutor timer() {
    return timer;
  }

  /** How many exchanges are on their way. */
  public int size() {
    return streams.size();
  }

  /** Ends every response and thread. */
  @Override
  public void close() {
    streams.forEach(ResponseStream::close);
    timer.shutdownNow();
    writers.shutdown();
  }
}
