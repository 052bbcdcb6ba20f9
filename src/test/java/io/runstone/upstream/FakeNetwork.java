package io.runstone.upstream;

import io.runstone.kernel.Cancellation;
import io.runstone.security.Requester;
import io.runstone.security.UserId;
import io.runstone.security.audit.AuditLog;
import io.runstone.upstream.broker.UpstreamControl;
import io.runstone.upstream.pool.PoolLimits;
import io.runstone.upstream.pool.UpstreamSessionPool;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A network of servers that do what a test says, and remember who talked to them. Thread-safe. */
public final class FakeNetwork implements UpstreamConnector {
  public static final UserId ANNA = new UserId("anna");
  public static final UserId BERT = new UserId("bert");

  /** Every conversation that was opened. */
  public final List<Conversation> conversations = new CopyOnWriteArrayList<>();

  /** Failures of the next conversations to be opened, or of the next calls. */
  public final Queue<UpstreamException> connectFailures = new ConcurrentLinkedQueue<>();

  public final Queue<UpstreamException> callFailures = new ConcurrentLinkedQueue<>();
  public final AtomicInteger calls = new AtomicInteger();
  public volatile boolean stateless;
  public volatile boolean idempotent;

  /** Completes when conversations may open. */
  public volatile CompletableFuture<Void> gate = CompletableFuture.completedFuture(null);

  /** Completes when calls may end. */
  public volatile CompletableFuture<Void> callGate = CompletableFuture.completedFuture(null);

  public volatile boolean closed;

  /** Whether a conversation can't even be begun. */
  public volatile boolean broken;

  /** A server of a name that keeps something of each conversation. */
  public static UpstreamServer server(String name) {
    return server(name, false);
  }

  /** A server of a name. */
  public static UpstreamServer server(String name, boolean stateless) {
    return new UpstreamServer(
        new ServerName(name),
        URI.create("http://127.0.0.1:1/mcp"),
        name,
        "",
        new UpstreamServer.Login.None(),
        stateless,
        UpstreamServer.ToolFilter.ALL,
        Duration.ofSeconds(5),
        Optional.empty());
  }

  /** What administrators see when there are no servers. */
  public static UpstreamControl noControl() {
    UpstreamSessionPool pool =
        new UpstreamSessionPool(
            new FakeNetwork(),
            Credentials.NONE,
            ServerDirectory.EMPTY,
            () -> new PoolLimits(1, 1, 1, Duration.ofMinutes(1)),
            System::nanoTime);
    return new UpstreamControl(ServerDirectory.EMPTY, pool, AuditLog.OFF, Clock.systemUTC());
  }

  public static UpstreamCaller caller(UserId user, String owner) {
    return new UpstreamCaller(Requester.of(user), owner);
  }

  public static UpstreamCall call(String server) {
    return call(server, "count", new Cancellation());
  }

  public static UpstreamCall call(String server, String tool, Cancellation cancellation) {
    return new UpstreamCall(
        new ServerName(server), tool, Map.of(), Optional.empty(), cancellation, text -> {});
  }

  /** One conversation: it counts its calls, as a server that keeps something would. */
  public final class Conversation implements UpstreamConnection {
    public final UpstreamServer server;
    public final boolean keepsNothing = stateless;
    public final AtomicInteger count = new AtomicInteger();
    public final AtomicInteger listed = new AtomicInteger();
    public final CompletableFuture<Void> ended = new CompletableFuture<>();
    public final Runnable toolsChanged;

    private Conversation(UpstreamServer server, Runnable toolsChanged) {
      this.server = server;
      this.toolsChanged = toolsChanged;
    }

    @Override
    public CompletionStage<List<UpstreamTool>> listTools(Authorizer authorizer) {
      listed.incrementAndGet();
      return CompletableFuture.completedStage(
          List.of(
              new UpstreamTool(
                  server.name(),
                  Map.of(
                      "name",
                      "count",
                      "description",
                      "Counts customers.",
                      "annotations",
                      Map.of("idempotentHint", idempotent))),
              new UpstreamTool(server.name(), Map.of("name", "add", "description", "Adds."))));
    }

    @Override
    public CompletionStage<UpstreamResult> call(UpstreamCall call, Authorizer authorizer) {
      calls.incrementAndGet();
      UpstreamException failure = callFailures.poll();
      return authorizer
          .header()
          .thenCombine(callGate, (header, none) -> header)
          .thenCompose(
              header ->
                  failure == null
                      ? CompletableFuture.completedStage(
                          new UpstreamResult(Map.of("count", count.incrementAndGet()), 10))
                      : CompletableFuture.failedStage(failure));
    }

    @Override
    public boolean isStateless() {
      return keepsNothing;
    }

    @Override
    public String protocolVersion() {
      return "2025-11-25";
    }

    @Override
    public CompletionStage<Void> close(Authorizer authorizer) {
      ended.complete(null);
      return ended;
    }
  }

  @Override
  public CompletionStage<UpstreamConnection> connect(
      UpstreamServer server, Authorizer authorizer, Runnable toolsChanged) {
    if (broken) {
      throw new IllegalStateException("too many open files");
    }
    UpstreamException failure = connectFailures.poll();
    return gate.thenCompose(
        open -> {
          if (failure != null) {
            return CompletableFuture.failedStage(failure);
          }
          Conversation conversation = new Conversation(server, toolsChanged);
          conversations.add(conversation);
          return CompletableFuture.completedStage(conversation);
        });
  }

  @Override
  public void close() {
    closed = true;
  }
}
