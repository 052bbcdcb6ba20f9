package io.runstone.upstream.pool;

import io.runstone.upstream.Authorizer;
import io.runstone.upstream.UpstreamCaller;
import io.runstone.upstream.UpstreamConnection;
import io.runstone.upstream.UpstreamServer;
import io.runstone.upstream.UpstreamTool;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A session with an upstream server in the pool: from the moment somebody wants it, through its
 * being opened, to its end. The pool guards the fields that say so; the rest is thread-safe.
 */
public final class PooledSession {
  private static final long TOOLS_AGE = Duration.ofMinutes(5).toNanos();

  final UpstreamServer server;

  /** Completes when the session is open. */
  final CompletableFuture<UpstreamConnection> connected = new CompletableFuture<>();

  private final AtomicReference<@Nullable Tools> tools = new AtomicReference<>();

  // Guarded by the pool's lock.
  UpstreamKey key;
  UpstreamCaller lastCaller;
  int uses;
  long lastUsed;
  boolean retired;

  private record Tools(CompletableFuture<List<UpstreamTool>> list, long since) {}

  PooledSession(UpstreamKey key, UpstreamServer server, UpstreamCaller caller, long now) {
    this.key = key;
    this.server = server;
    this.lastCaller = caller;
    this.lastUsed = now;
  }

  /** The open session; only for who was let in by the pool. */
  public UpstreamConnection connection() {
    return connected.join();
  }

  /** The server's tools, as they were at most five minutes ago; asked for once at a time. */
  public CompletionStage<List<UpstreamTool>> tools(Authorizer authorizer, long now) {
    Tools known = tools.get();
    if (known != null && now - known.since < TOOLS_AGE) {
      return known.list;
    }
    Tools wanted = new Tools(new CompletableFuture<>(), now);
    if (!tools.compareAndSet(known, wanted)) {
      return tools(authorizer, now);
    }
    connection()
        .listTools(authorizer)
        .whenComplete(
            (list, failure) -> {
              if (failure == null) {
                wanted.list.complete(list);
              } else {
                tools.compareAndSet(wanted, null);
                wanted.list.completeExceptionally(failure);
              }
            });
    return wanted.list;
  }

  /** A tool, if the list of tools is known. */
  public Optional<UpstreamTool> known(String tool) {
    Tools known = tools.get();
    if (known == null || !known.list.isDone() || known.list.isCompletedExceptionally()) {
      return Optional.empty();
    }
    return known.list.join().stream().filter(each -> each.name().equals(tool)).findFirst();
  }

  /** The next who wants the tools asks the server for them. */
  void forgetTools() {
    tools.set(null);
  }
}
