package io.runstone.upstream.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.runstone.concurrent.Threads;
import io.runstone.kernel.Cancellation;
import io.runstone.upstream.Authorizer;
import io.runstone.upstream.ServerName;
import io.runstone.upstream.UpstreamCall;
import io.runstone.upstream.UpstreamConnection;
import io.runstone.upstream.UpstreamException;
import io.runstone.upstream.UpstreamResult;
import io.runstone.upstream.UpstreamServer;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/** A connector under test, and short ways to use it. */
final class ClientFixture implements AutoCloseable {
  static final int MAX_BYTES = 256 * 1024;

  private static final ServerName NAME = new ServerName("scripted");

  final AtomicInteger toolsChanged = new AtomicInteger();
  final HttpUpstreamConnector connector;
  private final Threads threads = new Threads(Thread::new);

  ClientFixture() {
    this(
        new ClientSettings(
            "runstone",
            "test",
            MAX_BYTES,
            Duration.ofSeconds(2),
            Duration.ofSeconds(5),
            Duration.ofMillis(100)));
  }

  ClientFixture(ClientSettings settings) {
    this.connector = new HttpUpstreamConnector(settings, threads, System::nanoTime);
  }

  static UpstreamServer server(URI url) {
    return new UpstreamServer(
        NAME,
        url,
        "",
        "",
        new UpstreamServer.Login.None(),
        false,
        UpstreamServer.ToolFilter.ALL,
        Duration.ofSeconds(5),
        Optional.empty());
  }

  UpstreamConnection connect(URI url) throws Exception {
    return connect(url, Authorizer.NONE);
  }

  UpstreamConnection connect(URI url, Authorizer authorizer) throws Exception {
    return get(connector.connect(server(url), authorizer, toolsChanged::incrementAndGet));
  }

  static UpstreamCall call(String tool, Map<String, Object> arguments) {
    return new UpstreamCall(
        NAME, tool, arguments, Optional.empty(), new Cancellation(), progress -> {});
  }

  static CompletionStage<UpstreamResult> echo(UpstreamConnection connection, String text) {
    return connection.call(call("echo", Map.of("text", text)), Authorizer.NONE);
  }

  /** The text of a result. */
  static String text(UpstreamResult result) {
    return result.json().get("content") instanceof List<?> content
            && content.get(0) instanceof Map<?, ?> first
        ? String.valueOf(first.get("text"))
        : "";
  }

  static <T> T get(CompletionStage<T> stage)
      throws InterruptedException, ExecutionException, TimeoutException {
    return stage.toCompletableFuture().get(20, TimeUnit.SECONDS);
  }

  /** The failure of something that has to fail, and with nothing of a server's body in it. */
  static UpstreamException failure(CompletionStage<?> stage)
      throws InterruptedException, ExecutionException, TimeoutException {
    try {
      get(stage);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UpstreamException failure) {
        assertThat(failure.getMessage()).doesNotContain("diary", "token-");
        return failure;
      }
      throw e;
    }
    throw new AssertionError("it did not fail");
  }

  @Override
  public void close() {
    connector.close();
    threads.close();
  }
}
