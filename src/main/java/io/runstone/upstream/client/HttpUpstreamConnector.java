package io.runstone.upstream.client;

import io.runstone.concurrent.Threads;
import io.runstone.upstream.Authorizer;
import io.runstone.upstream.UpstreamConnection;
import io.runstone.upstream.UpstreamConnector;
import io.runstone.upstream.UpstreamException;
import io.runstone.upstream.UpstreamServer;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.LongSupplier;

/**
 * Opens conversations over HTTP. Everything of them runs on a few threads of its own, as answers
 * arrive; {@link #close} ends those, and every conversation that is still open. Thread-safe.
 */
public final class HttpUpstreamConnector implements UpstreamConnector {
  private static final int THREADS = 8;
  private static final int WAITING = 100_000;

  private final ClientSettings settings;
  private final LongSupplier nanoTime;
  private final ThreadPoolExecutor executor;
  private final ScheduledThreadPoolExecutor timer;
  private final HttpClients clients;
  private final Json json;
  private final Set<HttpConnection> open = ConcurrentHashMap.newKeySet();
  private final Map<Handshake, CompletableFuture<UpstreamConnection>> connecting =
      new ConcurrentHashMap<>();
  private volatile boolean closed;

  /**
   * Creates the connector.
   *
   * @param nanoTime tells how much time passed, as {@code System.nanoTime} does
   */
  public HttpUpstreamConnector(ClientSettings settings, Threads threads, LongSupplier nanoTime) {
    this.settings = settings;
    this.nanoTime = nanoTime;
    this.executor = threads.queued("upstream", THREADS, WAITING);
    // Were a task lost, the JDK's client would wait for it, and its thread would never end.
    this.executor.setRejectedExecutionHandler((task, pool) -> task.run());
    this.timer = threads.timer("upstream-timer");
    this.clients = new HttpClients(settings, executor, timer);
    this.json = new Json(settings.maxBytes());
  }

  @Override
  public CompletionStage<UpstreamConnection> connect(
      UpstreamServer server, Authorizer authorizer, Runnable toolsChanged) {
    if (closed) {
      return CompletableFuture.failedStage(Failures.closed());
    }
    HttpClients.Lease lease;
    try {
      lease = clients.lend(server.trust());
    } catch (UpstreamException e) {
      return CompletableFuture.failedStage(e);
    }
    Wire wire = new Wire(lease, server, settings, json, timer, nanoTime, toolsChanged);
    Handshake handshake = new Handshake(wire, authorizer);
    CompletableFuture<UpstreamConnection> connected = new CompletableFuture<>();
    connecting.put(handshake, connected);
    Future<?> deadline =
        wire.after(settings.connectTimeout(), () -> connected.completeExceptionally(late()));
    handshake
        .begin()
        .whenComplete(
            (begun, failure) -> {
              if (begun != null) {
                HttpConnection made = connection(begun, authorizer, lease);
                if (!connected.complete(made)) { // too late, and given up already
                  open.remove(made);
                  made.end();
                }
              } else {
                connected.completeExceptionally(
                    Failures.of(failure == null ? Failures.closed() : failure));
              }
            });
    connected.whenComplete(
        (connection, failure) -> {
          deadline.cancel(false);
          connecting.remove(handshake);
          if (failure != null) {
            handshake.abandon().whenComplete((done, ignored) -> lease.end());
          } else if (connection instanceof HttpConnection made) {
            made.listen();
          }
        });
    if (closed) {
      connected.completeExceptionally(Failures.closed());
    }
    return connected.minimalCompletionStage();
  }

  private HttpConnection connection(
      Handshake.Begun begun, Authorizer authorizer, HttpClients.Lease lease) {
    HttpConnection[] self = new HttpConnection[1];
    HttpConnection made =
        new HttpConnection(
            begun,
            authorizer,
            () -> {
              open.remove(self[0]);
              lease.end();
            });
    self[0] = made;
    open.add(made);
    return made;
  }

  private UpstreamException late() {
    return UpstreamException.transport(
        "the server did not answer within "
            + settings.connectTimeout().toSeconds()
            + " s; try again in a while");
  }

  /** How many clients of the JDK there are. */
  int clients() {
    return clients.count();
  }

  @Override
  public void close() {
    closed = true;
    connecting.values().forEach(one -> one.completeExceptionally(Failures.closed()));
    open.forEach(HttpConnection::end);
    clients.close();
    timer.shutdownNow();
    executor.shutdown();
  }
}
