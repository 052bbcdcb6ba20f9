package io.runstone.mcp;

import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.jackson3.JacksonMcpJsonMapper;
import io.modelcontextprotocol.json.schema.JsonSchemaValidator;
import io.modelcontextprotocol.json.schema.jackson3.DefaultJsonSchemaValidator;
import io.runstone.concurrent.Threads;
import io.runstone.config.Settings;
import io.runstone.http.Exchanges;
import io.runstone.mcp.feature.Changes;
import io.runstone.mcp.feature.Features;
import io.runstone.mcp.feature.McpSessionId;
import io.runstone.mcp.feature.Offer;
import io.runstone.mcp.feature.ResourceCatalog;
import io.runstone.mcp.feature.ResourceWatch;
import io.runstone.mcp.feature.Resources;
import io.runstone.mcp.feature.Tool;
import io.runstone.mcp.feature.ToolResult;
import io.runstone.mcp.legacy.LegacyEndpoint;
import io.runstone.mcp.legacy.LegacyFeatures;
import io.runstone.mcp.legacy.McpSessionInfo;
import io.runstone.mcp.modern.ModernEndpoint;
import io.runstone.mcp.modern.ModernFeatures;
import io.runstone.mcp.python.OutputResources;
import io.runstone.mcp.python.SessionResources;
import io.runstone.mcp.python.SessionTools;
import io.runstone.mcp.python.ToolCatalog;
import io.runstone.mcp.python.WorkspaceResources;
import io.runstone.mcp.wire.LineSafeJsonMapper;
import io.runstone.mcp.wire.RpcException;
import io.runstone.security.RequestRate;
import io.runstone.security.UserId;
import io.runstone.session.SessionManager;
import io.runstone.workspace.WorkspaceFiles;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import reactor.core.scheduler.Schedulers;
import tools.jackson.databind.json.JsonMapper;

/**
 * Everything behind {@code /mcp}, from deployment to undeployment: what is offered, and the two
 * eras of the protocol that offer it. Thread-safe.
 */
public final class McpEndpoint implements AutoCloseable {
  private static final Duration EVICTION = Duration.ofSeconds(10);
  private static final Duration WATCH = Duration.ofSeconds(2);

  /** Reading a file takes a thread; so many are read at once. */
  private static final int FILE_READERS = 8;

  /** So many more may wait. */
  private static final int FILE_QUEUE = 1000;

  private final Exchanges exchanges;
  private final McpJsonMapper json =
      new LineSafeJsonMapper(new JacksonMcpJsonMapper(JsonMapper.builder().build()));
  private final ScheduledThreadPoolExecutor timer;
  private final ThreadPoolExecutor files;
  private final AtomicBoolean looking = new AtomicBoolean();
  private final RequiredScopes requiredScopes;
  private final RequestRate rate;
  private final LegacyEndpoint legacy;
  private final ModernEndpoint modern;

  /** What the endpoint stands on. */
  public record Parts(
      Settings settings,
      Threads threads,
      Exchanges exchanges,
      SessionManager sessions,
      WorkspaceFiles files,
      RequestRate rate) {}

  /** Opens the endpoint, with what more there is to offer. */
  public McpEndpoint(Parts parts, String version, List<Features> more) {
    Settings settings = parts.settings();
    this.exchanges = parts.exchanges();
    this.timer = parts.threads().timer("mcp-timer");
    this.files = parts.threads().queued("mcp-files", FILE_READERS, FILE_QUEUE);
    ToolCatalog catalog = new ToolCatalog(json);
    SessionTools sessionTools =
        new SessionTools(
            parts.sessions(),
            catalog,
            timer,
            settings.outputs().shownChars(),
            id -> legacy().isOpen(id));
    Changes changes = new Changes();
    more.forEach(features -> features.use(changes));
    this.rate = parts.rate();
    List<Tool> tools =
        joined(sessionTools.tools(), more, Features::tools).stream().map(this::counted).toList();
    ResourceCatalog resources =
        new ResourceCatalog(joined(resources(parts, json), more, Features::resources));
    this.requiredScopes = RequiredScopes.of(tools, resources);
    Map<String, Object> serverInfo = new LinkedHashMap<>(catalog.serverInfo());
    serverInfo.put("version", version);
    Offer offer = new Offer(serverInfo, instructions(catalog, more), tools, resources, changes);
    JsonSchemaValidator validator = new DefaultJsonSchemaValidator();
    this.legacy =
        new LegacyEndpoint(
            settings,
            offer,
            of(LegacyFeatures.class, more),
            json,
            validator,
            timer,
            files,
            (user, id) -> {
              SessionTools.endImplicit(parts.sessions(), user, id);
              more.forEach(features -> features.ended(user, id));
            });
    this.modern =
        new ModernEndpoint(settings, offer, of(ModernFeatures.class, more), json, validator, files);
    ResourceWatch watch = new ResourceWatch(resources, changes);
    every(EVICTION, legacy::evictIdle);
    every(WATCH, () -> look(watch));
  }

  /** One look at a time, and none when too much waits to be read anyway. */
  private void look(ResourceWatch watch) {
    if (looking.compareAndSet(false, true)) {
      try {
        files.execute(
            () -> {
              try {
                watch.look();
              } finally {
                looking.set(false);
              }
            });
      } catch (RejectedExecutionException e) {
        looking.set(false);
      }
    }
  }

  /** The tool, which refuses those who call too often. */
  private Tool counted(Tool tool) {
    return new Tool(
        tool.definition(),
        tool.scope(),
        call ->
            rate.refuses(call.user()).isEmpty()
                ? tool.handler().call(call)
                : CompletableFuture.completedStage(ToolResult.error(rate.sentence())));
  }

  /**
   * Counts a request that is not a tool's.
   *
   * @throws RpcException if its user sends too many
   */
  void count(UserId user) throws RpcException {
    Optional<Duration> wait = rate.refuses(user);
    if (wait.isPresent()) {
      throw new RpcException(429, RpcException.INVALID_REQUEST, rate.sentence())
          .with("Retry-After", RequestRate.seconds(wait.orElseThrow()));
    }
  }

  private static String instructions(ToolCatalog catalog, List<Features> more) {
    return Stream.concat(
            Stream.of(catalog.instructions()), more.stream().map(Features::instructions))
        .filter(text -> !text.isEmpty())
        .collect(Collectors.joining(" "));
  }

  private static List<Resources> resources(Parts parts, McpJsonMapper json) {
    return List.of(
        new SessionResources(parts.sessions(), json),
        new WorkspaceResources(parts.files()),
        new OutputResources(parts.sessions()));
  }

  private static <T> List<T> joined(
      List<? extends T> own, List<Features> more, Function<Features, List<T>> part) {
    List<T> all = new ArrayList<>(own);
    more.forEach(features -> all.addAll(part.apply(features)));
    return all;
  }

  private static <T> List<T> of(Class<T> era, List<Features> more) {
    return more.stream()
        .flatMap(
            features -> era.isInstance(features) ? Stream.of(era.cast(features)) : Stream.empty())
        .toList();
  }

  private void every(Duration period, Runnable task) {
    long millis = period.toMillis();
    timer.scheduleWithFixedDelay(task, millis, millis, TimeUnit.MILLISECONDS);
  }

  LegacyEndpoint legacy() {
    return legacy;
  }

  ModernEndpoint modern() {
    return modern;
  }

  Exchanges exchanges() {
    return exchanges;
  }

  RequiredScopes requiredScopes() {
    return requiredScopes;
  }

  McpJsonMapper json() {
    return json;
  }

  /** The MCP sessions there are. */
  public List<McpSessionInfo> sessions() {
    return legacy.list();
  }

  /** How many clients without a session listen. */
  public int listeners() {
    return modern.listeners();
  }

  /** Ends an MCP session, if it is still there. */
  public void end(McpSessionId id) {
    legacy.end(id);
  }

  /** Ends every session and listener. */
  @Override
  public void close() {
    modern.close();
    legacy.close();
    timer.shutdownNow();
    files.shutdown();
    Schedulers.shutdownNow(); // our own copy of Reactor: the WAR's class loader comes first
  }
}
