package io.runstone.http;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The body of a response that takes its time, from the container's thread that opened it to its
 * end.
 *
 * <p>Whoever has something to say leaves it in a queue and goes on; one task at a time of a pool
 * writes, so that a slow client holds up neither Python nor a container thread. The stream ends
 * once what was queued before {@link #close} is written, or when a write fails. Nothing is written
 * after that, for by then the container may have given the response to somebody else (jersey#3719).
 * Thread-safe.
 */
public final class ResponseStream implements AsyncListener {
  private static final System.Logger LOG = System.getLogger(ResponseStream.class.getName());
  private static final byte[] END = {};

  /** A client that leaves more than this unread is taken for gone. In bytes. */
  private static final long MAX_PENDING = 32L * 1024 * 1024;

  /** How a stream ended. */
  public enum Ending {
    /** Everything was handed to the client's connection. */
    COMPLETE,
    /** The client went away before, or was too slow. */
    BROKEN
  }

  private record KeepAlive(String text, long nanos) {}

  private final AsyncContext async;
  private final ServletOutputStream out;
  private final Executor writers;
  private final CompletableFuture<Ending> end = new CompletableFuture<>();
  private final Queue<byte[]> pending = new ConcurrentLinkedQueue<>();

  /** Counts what is queued; who raises it from 0 starts the writing task. */
  private final AtomicInteger work = new AtomicInteger();

  private final AtomicLong waiting = new AtomicLong();

  /** Only the writing task uses it. */
  private boolean flushed;

  private volatile boolean closing;
  private volatile boolean ended;
  private volatile long lastWriteNanos = System.nanoTime();
  private volatile @Nullable KeepAlive keepAlive;

  /**
   * Takes over a response. To be called on the container's thread, since a context's listeners
   * can't be added later.
   */
  ResponseStream(AsyncContext async, ServletOutputStream out, Executor writers) {
    this.async = async;
    this.out = out;
    this.writers = writers;
  }

  /** Completes when the stream has ended, however it did. */
  public CompletionStage<Ending> whenEnded() {
    return end;
  }

  /**
   * Has a text written whenever the stream was quiet for that long, which also finds out whether
   * the client is there: nothing but a failed write tells.
   */
  public void keepAlive(String text, Duration every) {
    keepAlive = new KeepAlive(text, every.toNanos());
  }

  /** Writes what keeps the stream alive, if it is time. */
  void tick(long nowNanos) {
    KeepAlive alive = keepAlive;
    if (alive != null && work.get() == 0 && nowNanos - lastWriteNanos >= alive.nanos()) {
      write(alive.text());
    }
  }

  /** Queues a text; after the end, or {@link #close}, nothing happens. */
  public void write(String text) {
    write(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Queues bytes, which must not change any more. */
  public void write(byte[] bytes) {
    if (!closing) {
      enqueue(bytes);
    }
  }

  private void enqueue(byte[] bytes) {
    if (ended) {
      return;
    }
    long before = waiting.getAndAdd(bytes.length);
    if (before > 0 && before + bytes.length > MAX_PENDING && !closing) {
      // The task that is stuck in a write ends the stream when the container lets it.
      closing = true;
      pending.clear();
      pending.add(END);
    } else {
      pending.add(bytes);
    }
    if (work.getAndIncrement() == 0) {
      try {
        writers.execute(this::writeAll);
      } catch (RejectedExecutionException e) {
        end(Ending.BROKEN);
      }
    }
  }

  private void writeAll() {
    int done;
    do {
      done = work.get();
      for (int i = 0; i < done; i++) {
        byte[] bytes = pending.poll();
        if (bytes != null) {
          waiting.addAndGet(-bytes.length);
          if (!ended) {
            writeOut(bytes);
          }
        }
      }
      if (!ended && pending.isEmpty()) {
        flush();
      }
    } while (work.addAndGet(-done) > 0);
  }

  private void writeOut(byte[] bytes) {
    if (bytes.length == 0) {
      flush(); // for the container may first wait for the rest of the request
      end(Ending.COMPLETE);
      return;
    }
    try {
      out.write(bytes);
      lastWriteNanos = System.nanoTime();
    } catch (IOException | RuntimeException e) { // the client is gone; Tomcat then throws anything
      end(Ending.BROKEN);
    }
  }

  private void flush() {
    try {
      out.flush();
      if (!flushed) {
        // Open Liberty 26 ignores the first: the client would not even get the response's head
        // before the second message.
        flushed = true;
        out.flush();
      }
    } catch (IOException | RuntimeException e) {
      end(Ending.BROKEN);
    }
  }

  private void end(Ending how) {
    if (ended) {
      return;
    }
    ended = true;
    try {
      async.complete();
    } catch (IllegalStateException e) {
      LOG.log(System.Logger.Level.DEBUG, "the container had completed the stream before");
    }
    end.complete(how);
  }

  /** Ends the stream after what was queued. */
  public void close() {
    if (!closing) {
      closing = true;
      enqueue(END);
    }
  }

  @Override
  public void onComplete(AsyncEvent event) {
    abandon();
  }

  @Override
  public void onTimeout(AsyncEvent event) {
    abandon();
  }

  @Override
  public void onError(AsyncEvent event) {
    abandon();
  }

  @Override
  public void onStartAsync(AsyncEvent event) {
    // nothing: this stream starts no second cycle
  }

  /** The container says that the response is no longer ours. */
  private void abandon() {
    closing = true;
    end(Ending.BROKEN);
  }
}
