package io.runstone.mcp;

import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.jackson3.JacksonMcpJsonMapper;
import io.modelcontextprotocol.json.schema.jackson3.DefaultJsonSchemaValidator;
import io.modelcontextprotocol.server.McpAsyncServer;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.spec.McpSchema;
import io.runstone.concurrent.Threads;
import io.runstone.config.Settings;
import io.runstone.session.SessionManager;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletOutputStream;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import reactor.core.scheduler.Schedulers;
import tools.jackson.databind.json.JsonMapper;

/**
 * Everything behind {@code /mcp}, from deployment to undeployment: the SDK's server, its sessions,
 * the open streams, and the threads that write to them. Thread-safe.
 */
public final class McpEndpoint implements AutoCloseable {
  /** Key of the caller in the SDK's transport context. */
  static final String USER = "runstone.user";

  private static final Duration HEARTBEAT = Duration.ofSeconds(5);
  private static final Duration EVICTION = Duration.ofSeconds(30);

  /** Only what is being written takes a thread, so this many clients may be slow at once. */
  private static final int MAX_WRITERS = 256;

  private final Settings settings;
  private final SessionManager python;
  private final McpJsonMapper json;
  private final McpSessions sessions;
  private final McpAsyncServer server;
  private final ThreadPoolExecutor writers;
  private final ScheduledThreadPoolExecutor timer;
  private final Set<SseStream> streams = ConcurrentHashMap.newKeySet();

  /** Opens the endpoint. */
  public McpEndpoint(Settings settings, Threads threads, SessionManager python, String version) {
    this.settings = settings;
    this.python = python;
    this.json = new LineSafeJsonMapper(new JacksonMcpJsonMapper(JsonMapper.builder().build()));
    this.writers = threads.elastic("mcp-writer", MAX_WRITERS);
    this.timer = threads.timer("mcp-timer");
    this.sessions = new McpSessions(settings.mcp(), this::sessionEnded);
    SessionTools tools =
        new SessionTools(
            python, new ToolCatalog(json), timer, settings.outputs().shownChars(), sessions);
    this.server =
        McpServer.async(sessions)
            .serverInfo("runstone", version)
            .instructions(ToolCatalog.text("instructions.txt").strip())
            .capabilities(
                McpSchema.ServerCapabilities.builder().tools(false).resources(false, false).build())
            .jsonMapper(json)
            .jsonSchemaValidator(new DefaultJsonSchemaValidator())
            .tools(tools.specifications())
            .resourceTemplates(new OutputResources(python).templates())
            .build();
    every(HEARTBEAT.dividedBy(2), this::heartbeat);
    every(EVICTION, sessions::evictIdle);
  }

  private void every(Duration period, Runnable task) {
    long millis = period.toMillis();
    timer.scheduleWithFixedDelay(task, millis, millis, TimeUnit.MILLISECONDS);
  }

  /** A stream that was quiet for half the interval gets a comment, so none is quiet for longer. */
  private void heartbeat() {
    long quietSince = System.nanoTime() - HEARTBEAT.dividedBy(2).toNanos();
    streams.stream().filter(s -> s.quietSince(quietSince)).forEach(SseStream::comment);
  }

  /** Its implicit Python session goes with an MCP session. */
  private void sessionEnded(BoundSession ended) {
    SessionTools.endImplicit(python, ended.user(), ended.id());
  }

  McpSessions sessions() {
    return sessions;
  }

  McpJsonMapper json() {
    return json;
  }

  int maxBodyBytes() {
    return settings.http().maxBodyBytes();
  }

  /**
   * Makes a stream of a request that has just been made asynchronous, on the container's thread.
   */
  SseStream openStream(AsyncContext async, ServletOutputStream out) {
    async.setTimeout(0);
    SseStream stream = new SseStream(async, out, json, writers);
    async.addListener(stream);
    streams.add(stream);
    stream.whenEnded().thenRun(() -> streams.remove(stream));
    return stream;
  }

  /** Ends every session, stream and thread. */
  @Override
  public void close() {
    server.closeGracefully().block(Duration.ofSeconds(2));
    streams.forEach(SseStream::close);
    timer.shutdownNow();
    writers.shutdown();
    Schedulers.shutdownNow(); // our own copy of Reactor: the WAR's class loader comes first
  }
}
