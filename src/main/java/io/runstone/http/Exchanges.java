package io.runstone.http;

import io.runstone.concurrent.Threads;
import io.runstone.config.Settings;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
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

  /** So many bodies are waited for at once. */
  private static final int MAX_READERS = 128;

  /**
   * So many more may be on their way; many clients send head and body apart, so this is no sign of
   * a slow one.
   */
  private static final int MAX_UNREAD = 4096;

  private final Settings.Http settings;
  private final ThreadPoolExecutor writers;
  private final ThreadPoolExecutor readers;
  private final ScheduledThreadPoolExecutor timer;
  private final Set<ResponseStream> streams = ConcurrentHashMap.newKeySet();

  /** Takes its threads. */
  public Exchanges(Settings.Http settings, Threads threads) {
    this.settings = settings;
    this.writers = threads.elastic("http-writer", MAX_WRITERS);
    this.readers = threads.queued("http-reader", MAX_READERS, MAX_UNREAD);
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
   * is read at once; one that is still to come gets a thread of ours to wait for it.
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
    // Not by a ReadListener: on Payara 6 one in some 300 is never called when the body arrives just
    // when it is set.
    CompletableFuture<byte[]> body = new CompletableFuture<>();
    try {
      readers.execute(() -> read(new PatientInputStream(in, settings.bodyTimeout()), body));
    } catch (RejectedExecutionException e) {
      body.completeExceptionally(new RequestBody.BusyException());
    }
    return body;
  }

  private void read(InputStream in, CompletableFuture<byte[]> body) {
    byte[] bytes;
    try {
      bytes = RequestBody.read(in, settings.maxBodyBytes());
    } catch (IOException | RuntimeException e) {
      body.completeExceptionally(e);
      return;
    }
    body.complete(bytes);
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
    readers.shutdown();
    writers.shutdown();
  }
}
