package io.runstone.upstream.broker;

import io.runstone.concurrent.Causes;
import io.runstone.security.Requester;
import io.runstone.security.UserId;
import io.runstone.security.audit.AuditLog;
import io.runstone.upstream.Authorizer;
import io.runstone.upstream.Credentials;
import io.runstone.upstream.ServerDirectory;
import io.runstone.upstream.ServerName;
import io.runstone.upstream.UpstreamCall;
import io.runstone.upstream.UpstreamCaller;
import io.runstone.upstream.UpstreamException;
import io.runstone.upstream.UpstreamException.Kind;
import io.runstone.upstream.UpstreamResult;
import io.runstone.upstream.UpstreamServer;
import io.runstone.upstream.UpstreamTool;
import io.runstone.upstream.Upstreams;
import io.runstone.upstream.pool.PooledSession;
import io.runstone.upstream.pool.UpstreamSessionPool;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Lets users use upstream servers: checks what they may, finds their session in the pool, bounds
 * the time, repeats what may be repeated, and records what came of it. Thread-safe.
 */
public final class UpstreamBroker implements Upstreams {
  private static final System.Logger LOG = System.getLogger(UpstreamBroker.class.getName());

  /** A search does not wait longer for a server. */
  private static final Duration SEARCH = Duration.ofSeconds(5);

  private static final int MAX_FOUND = 1000;
  private static final Matches NOTHING = new Matches(List.of(), List.of());

  private final ServerDirectory directory;
  private final Credentials credentials;
  private final UpstreamSessionPool pool;
  private final UpstreamAudit audit;
  private final ScheduledExecutorService timer;
  private final LongSupplier nanoTime;

  /** Creates the broker over a pool. */
  public UpstreamBroker(
      ServerDirectory directory,
      Credentials credentials,
      UpstreamSessionPool pool,
      AuditLog log,
      Clock clock,
      ScheduledExecutorService timer) {
    this.directory = directory;
    this.credentials = credentials;
    this.pool = pool;
    this.timer = timer;
    this.nanoTime = System::nanoTime;
    this.audit = new UpstreamAudit(log, clock, nanoTime);
  }

  @Override
  public List<Summary> servers(Requester requester) {
    return usable(requester).stream()
        .map(
            server ->
                new Summary(
                    server.name(),
                    server.title(),
                    server.description(),
                    credentials.missingConsent(requester.user(), server)))
        .toList();
  }

  private List<UpstreamServer> usable(Requester requester) {
    return directory.servers().stream()
        .filter(server -> requester.mayUse(server.name().value()))
        .toList();
  }

  @Override
  public CompletionStage<List<UpstreamTool>> tools(UpstreamCaller caller, ServerName name) {
    try {
      return tools(caller, server(caller.requester(), name));
    } catch (UpstreamException e) {
      return CompletableFuture.failedStage(e);
    }
  }

  private CompletionStage<List<UpstreamTool>> tools(UpstreamCaller caller, UpstreamServer server) {
    return plain(
        pool.use(
                caller,
                server,
                (session, authorizer) -> session.tools(authorizer, nanoTime.getAsLong()))
            .thenApply(
                all ->
                    all.stream()
                        .filter(tool -> server.tools().permits(tool.name()))
                        .sorted(Comparator.comparing(UpstreamTool::name))
                        .toList()));
  }

  @Override
  public CompletionStage<Matches> search(UpstreamCaller caller, String query, int limit) {
    CompletionStage<Matches> all = CompletableFuture.completedStage(NOTHING);
    for (UpstreamServer server : usable(caller.requester())) {
      CompletionStage<Matches> asked =
          within(SEARCH, tools(caller, server), server.name() + " did not list its tools")
              .handle(
                  (found, failure) ->
                      failure == null
                          ? new Matches(found, List.of())
                          : new Matches(
                              List.of(), List.of(new Unreachable(server.name(), known(failure)))));
      all = all.thenCombine(asked, UpstreamBroker::joined);
    }
    return all.thenApply(
        found -> new Matches(found(found.tools(), query, limit), found.unreachable()));
  }

  @Override
  public CompletionStage<Matches> search(
      UpstreamCaller caller, ServerName server, String query, int limit) {
    return tools(caller, server).thenApply(all -> new Matches(found(all, query, limit), List.of()));
  }

  private static List<UpstreamTool> found(List<UpstreamTool> tools, String query, int limit) {
    return ToolSearch.find(tools, query, Math.max(1, Math.min(limit, MAX_FOUND)));
  }

  private static Matches joined(Matches first, Matches second) {
    List<UpstreamTool> tools = new ArrayList<>(first.tools());
    tools.addAll(second.tools());
    List<Unreachable> unreachable = new ArrayList<>(first.unreachable());
    unreachable.addAll(second.unreachable());
    return new Matches(tools, unreachable);
  }

  @Override
  public CompletionStage<UpstreamResult> call(UpstreamCaller caller, UpstreamCall call) {
    long began = nanoTime.getAsLong();
    return begin(caller, call)
        .whenComplete((result, failure) -> audit.ended(caller, call, began, result, failure));
  }

  private CompletionStage<UpstreamResult> begin(UpstreamCaller caller, UpstreamCall call) {
    UpstreamServer server;
    try {
      server = server(caller.requester(), call.server());
      if (!server.tools().permits(call.tool())) {
        throw new UpstreamException(
            Kind.FORBIDDEN,
            "the tool %s of %s is not for use here; this server's administrator decides that"
                .formatted(shown(call.tool()), server.name()));
      }
    } catch (UpstreamException e) {
      return CompletableFuture.failedStage(e);
    }
    Duration timeout = call.timeout().orElse(server.timeout());
    CompletableFuture<UpstreamResult> answer = new CompletableFuture<>();
    call.cancellation()
        .onCancel(
            why ->
                answer.completeExceptionally(
                    new UpstreamException(Kind.CANCELLED, "the call was cancelled" + why)));
    attempt(caller, server, call, new Attempt())
        .whenComplete(
            (result, failure) -> {
              if (failure == null) {
                answer.complete(result);
              } else {
                answer.completeExceptionally(failure);
              }
            });
    // The session bounds the time of a call; this is for one that has to be opened first.
    return within(
        timeout.plusMillis(500),
        answer,
        server.name() + " did not answer within " + timeout.toMillis() / 1000.0 + " s");
  }

  /** What is known of a try, to decide about another. */
  private static final class Attempt {
    private volatile boolean sent;
    private volatile boolean idempotent;
  }

  private CompletionStage<UpstreamResult> attempt(
      UpstreamCaller caller, UpstreamServer server, UpstreamCall call, Attempt first) {
    return once(caller, server, call, first)
        .exceptionallyCompose(
            failure ->
                worthRepeating(known(failure), first) && !call.cancellation().isCancelled()
                    ? once(caller, server, call, new Attempt())
                    : CompletableFuture.failedStage(known(failure)));
  }

  private CompletionStage<UpstreamResult> once(
      UpstreamCaller caller, UpstreamServer server, UpstreamCall call, Attempt attempt) {
    return plain(
        pool.use(
            caller, server, (session, authorizer) -> send(session, authorizer, call, attempt)));
  }

  private CompletionStage<UpstreamResult> send(
      PooledSession session, Authorizer authorizer, UpstreamCall call, Attempt attempt) {
    if (call.cancellation().isCancelled()) { // while the session was opened
      return CompletableFuture.failedStage(
          new UpstreamException(Kind.CANCELLED, "the call was cancelled before it was sent"));
    }
    attempt.idempotent = session.known(call.tool()).map(UpstreamTool::isIdempotent).orElse(false);
    attempt.sent = true;
    return session.connection().call(call, authorizer);
  }

  /** Once more, if the server says that it does no harm, or nothing was sent to a lost session. */
  private static boolean worthRepeating(UpstreamException failure, Attempt attempt) {
    boolean lost = failure.kind() == Kind.SESSION_LOST;
    return attempt.sent ? attempt.idempotent && (lost || failure.isTransport()) : lost;
  }

  @Override
  public void release(UserId user, String owner) {
    pool.release(user, owner);
  }

  /** A server that the requester may use; others are as unknown as those there are not. */
  private UpstreamServer server(Requester requester, ServerName name) {
    UpstreamServer server = directory.find(name).orElseThrow(() -> Upstreams.unknown(name));
    if (!requester.mayUse(name.value())) {
      throw new UpstreamException(
          Kind.FORBIDDEN,
          "your login does not allow the upstream server %s; it needs the scope runstone:upstream"
                  .formatted(name)
              + " or runstone:upstream:"
              + name);
    }
    return server;
  }

  private <T> CompletionStage<T> within(Duration time, CompletionStage<T> stage, String late) {
    CompletableFuture<T> bounded = new CompletableFuture<>();
    ScheduledFuture<?> alarm;
    try {
      alarm =
          timer.schedule(
              () -> bounded.completeExceptionally(new UpstreamException(Kind.TIMEOUT, late)),
              time.toMillis(),
              TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      return CompletableFuture.failedStage(
          new UpstreamException(Kind.UNAVAILABLE, "the server is shutting down"));
    }
    stage.whenComplete(
        (value, failure) -> {
          alarm.cancel(false);
          if (failure == null) {
            bounded.complete(value);
          } else {
            bounded.completeExceptionally(known(failure));
          }
        });
    return bounded;
  }

  /** Gives a stage's failure without what futures wrap it in. */
  private static <T> CompletionStage<T> plain(CompletionStage<T> stage) {
    return stage.exceptionallyCompose(failure -> CompletableFuture.failedStage(known(failure)));
  }

  private static UpstreamException known(Throwable failure) {
    Throwable cause = Causes.of(failure);
    if (cause instanceof UpstreamException upstream) {
      return upstream;
    }
    // Without its message, which could quote a header.
    LOG.log(
        System.Logger.Level.ERROR,
        "an upstream call failed by a fault of this server: {0} at {1}",
        cause.getClass().getName(),
        Arrays.stream(cause.getStackTrace()).limit(3).toList());
    return new UpstreamException(Kind.UNAVAILABLE, "internal error; the server's log says more");
  }

  private static String shown(String tool) {
    return tool.length() > 128 ? tool.substring(0, 128) + "…" : tool;
  }
}
