package io.runstone.mcp;

import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpStreamableServerTransport;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * One event stream that answers a request, from the container's thread that opened it to its end.
 *
 * <p>Whoever has something to say leaves it in a queue and goes on; one task at a time of a pool
 * writes, so that a slow client holds up neither Python nor a container thread. The stream ends
 * once what was queued before {@link #close} is written, or when a write fails. Nothing is written
 * after that, for by then the container may have given the response to somebody else (jersey#3719).
 * Thread-safe.
 */
final class SseStream implements McpStreamableServerTransport, AsyncListener {
  private static final System.Logger LOG = System.getLogger(SseStream.class.getName());
  private static final String COMMENT = ": keep-alive\n\n";
  private static final String END = "";

  /** A client that leaves more than this unread is taken for gone. In characters. */
  private static final int MAX_PENDING = 32 * 1024 * 1024;

  private final AsyncContext async;
  private final ServletOutputStream out;
  private final McpJsonMapper json;
  private final Executor writers;
  private final CompletableFuture<Void> end = new CompletableFuture<>();
  private final Queue<String> pending = new ConcurrentLinkedQueue<>();

  /** Counts what is queued; who raises it from 0 starts the writing task. */
  private final AtomicInteger work = new AtomicInteger();

  /** Only the writing task uses it. */
  private boolean flushed;

  private final AtomicInteger waiting = new AtomicInteger();

  private volatile boolean closing;
  private volatile boolean ended;
  private volatile long lastWriteNanos = System.nanoTime();

  /**
   * Takes over a response. To be called on the container's thread, since a context's listeners
   * can't be added later.
   */
  SseStream(AsyncContext async, ServletOutputStream out, McpJsonMapper json, Executor writers) {
    this.async = async;
    this.out = out;
    this.json = json;
    this.writers = writers;
  }

  @Override
  public Mono<Void> sendMessage(McpSchema.JSONRPCMessage message) {
    return sendMessage(message, null);
  }

  @Override
  public Mono<Void> sendMessage(McpSchema.JSONRPCMessage message, @Nullable String id) {
    return Mono.fromRunnable(() -> send(message, id));
  }

  private void send(McpSchema.JSONRPCMessage message, @Nullable String id) {
    if (closing || ended) {
      return;
    }
    try {
      String idLine = id == null ? "" : "id: " + id + "\n";
      enqueue(idLine + "event: message\ndata: " + json.writeValueAsString(message) + "\n\n");
    } catch (IOException e) {
      LOG.log(System.Logger.Level.ERROR, "a message could not be written as JSON", e);
      close();
    }
  }

  /** Completes when the stream has ended, however it did. */
  CompletionStage<Void> whenEnded() {
    return end;
  }

  /** Says that the stream lives, which also finds out whether the client does. */
  void comment() {
    enqueue(COMMENT);
  }

  /** Whether nothing was written since that moment. */
  boolean quietSince(long nanos) {
    return lastWriteNanos - nanos <= 0;
  }

  private void enqueue(String text) {
    if (ended) {
      return;
    }
    if (waiting.addAndGet(text.length()) > MAX_PENDING && !closing) {
      closing =
          true; // the task that is stuck in a write ends the stream when the container lets it
      pending.clear();
      pending.add(END);
    } else {
      pending.add(text);
    }
    if (work.getAndIncrement() == 0) {
      try {
        writers.execute(this::writeAll);
      } catch (RejectedExecutionException e) {
        end();
      }
    }
  }

  private void writeAll() {
    int done;
    do {
      done = work.get();
      for (int i = 0; i < done; i++) {
        String text = pending.poll();
        if (text != null) {
          waiting.addAndGet(-text.length());
          if (!ended) {
            write(text);
          }
        }
      }
      if (!ended && pending.isEmpty()) {
        flush();
      }
    } while (work.addAndGet(-done) > 0);
  }

  private void write(String text) {
    if (text.equals(END)) {
      end();
      return;
    }
    try {
      out.write(text.getBytes(StandardCharsets.UTF_8));
      lastWriteNanos = System.nanoTime();
    } catch (IOException | IllegalStateException e) { // the client is gone
      end();
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
    } catch (IOException | IllegalStateException e) {
      end();
    }
  }

  private void end() {
    if (ended) {
      return;
    }
    ended = true;
    try {
      async.complete();
    } catch (IllegalStateException e) {
      LOG.log(System.Logger.Level.DEBUG, "the container had completed the stream before");
    }
    end.complete(null);
  }

  @Override
  public void close() {
    closing = true;
    enqueue(END);
  }

  @Override
  public Mono<Void> closeGracefully() {
    return Mono.fromRunnable(this::close);
  }

  @Override
  public <T> T unmarshalFrom(Object data, TypeRef<T> type) {
    return json.convertValue(data, type);
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
    if (!ended) {
      end();
    }
  }
}
