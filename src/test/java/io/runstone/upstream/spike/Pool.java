package io.runstone.upstream.spike;

import io.runstone.concurrent.Threads;
import io.runstone.kernel.Cancellation;
import io.runstone.security.Requester;
import io.runstone.security.UserId;
import io.runstone.security.audit.AuditLog;
import io.runstone.upstream.Authorizer;
import io.runstone.upstream.Credentials;
import io.runstone.upstream.ServerName;
import io.runstone.upstream.UpstreamCall;
import io.runstone.upstream.UpstreamCaller;
import io.runstone.upstream.UpstreamResult;
import io.runstone.upstream.UpstreamServer;
import io.runstone.upstream.UpstreamTool;
import io.runstone.upstream.broker.UpstreamBroker;
import io.runstone.upstream.client.ClientSettings;
import io.runstone.upstream.client.HttpUpstreamConnector;
import io.runstone.upstream.pool.PoolLimits;
import io.runstone.upstream.pool.UpstreamSessionPool;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.stream.IntStream;

/** The pool and broker as a server has them, for users who each have a token of their own. */
final class Pool implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Threads threads = new Threads(Thread::new);
  private final ScheduledThreadPoolExecutor timer = threads.timer("spike");
  private final UpstreamSessionPool sessions;
  private final UpstreamBroker broker;

  Pool(List<URI> urls, int maxSessions) {
    List<UpstreamServer> servers =
        IntStream.range(0, urls.size()).mapToObj(i -> server("server" + i, urls.get(i))).toList();
    Credentials credentials = (caller, server) -> header(caller.requester().user());
    this.sessions =
        new UpstreamSessionPool(
            new HttpUpstreamConnector(
                ClientSettings.of("runstone", "spike", 4 << 20), threads, System::nanoTime),
            credentials,
            () -> servers,
            () -> new PoolLimits(maxSessions, maxSessions, maxSessions, Duration.ofMinutes(10)),
            System::nanoTime);
    this.broker =
        new UpstreamBroker(
            () -> servers, credentials, sessions, AuditLog.OFF, Clock.systemUTC(), timer);
  }

  private static Authorizer header(UserId user) {
    return () -> CompletableFuture.completedStage(Optional.of(token(user.value())));
  }

  /** What proves a user. */
  static String token(String user) {
    return "Bearer token-of-" + user;
  }

  private static UpstreamServer server(String name, URI url) {
    return new UpstreamServer(
        new ServerName(name),
        url,
        name,
        "",
        new UpstreamServer.Login.None(),
        false,
        UpstreamServer.ToolFilter.ALL,
        PATIENCE,
        Optional.empty());
  }

  private static UpstreamCaller caller(String user, String owner) {
    return new UpstreamCaller(Requester.of(new UserId(user)), owner);
  }

  CompletionStage<List<UpstreamTool>> tools(String user, String owner) {
    return broker.tools(caller(user, owner), new ServerName("server0"));
  }

  CompletionStage<String> call(
      String user, String owner, int server, String tool, Map<String, Object> arguments) {
    UpstreamCall call =
        new UpstreamCall(
            new ServerName("server" + server),
            tool,
            arguments,
            Optional.of(PATIENCE),
            new Cancellation(),
            progress -> {});
    return broker.call(caller(user, owner), call).thenApply(Pool::text);
  }

  /** The text of a result. */
  private static String text(UpstreamResult result) {
    return result.json().get("content") instanceof List<?> content
            && !content.isEmpty()
            && content.get(0) instanceof Map<?, ?> first
        ? String.valueOf(first.get("text"))
        : "";
  }

  int size() {
    return sessions.sessions().size();
  }

  /** Ends what a user's owner has. */
  void release(String user, String owner) {
    sessions.release(new UserId(user), owner);
  }

  @Override
  public void close() {
    timer.shutdownNow();
    sessions.close();
    threads.close();
  }
}
