package io.runstone.mcp.legacy;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.spec.McpStreamableServerSession;
import io.runstone.mcp.feature.Change;
import io.runstone.mcp.feature.Changes;
import io.runstone.mcp.feature.McpSessionId;
import io.runstone.mcp.wire.RpcException;
import io.runstone.security.UserId;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** An MCP session and the user it belongs to; for anybody else it does not exist. Thread-safe. */
final class BoundSession {
  /** MCP 2025-11-25: older clients choke on an event without data. */
  private static final String FIRST_PRIMED = "2025-11-25";

  private static final int MAX_SUBSCRIPTIONS = 1000;

  private final UserId user;
  private final McpStreamableServerSession sdk;
  private final String version;
  private final SessionStreams streams;
  private final Map<Object, ServerCall> calls = new ConcurrentHashMap<>();
  private final Set<String> subscriptions = ConcurrentHashMap.newKeySet();
  private final Changes changes;
  private final Object lock = new Object();

  @GuardedBy("lock") private Changes.@Nullable Registration listening;

  private volatile long lastUsedNanos = System.nanoTime();

  BoundSession(
      UserId user,
      McpStreamableServerSession sdk,
      String version,
      SessionStreams.Terms terms,
      Changes changes,
      McpJsonMapper json) {
    this.user = user;
    this.sdk = sdk;
    this.version = version;
    this.changes = changes;
    this.streams =
        new SessionStreams(terms, version.compareTo(FIRST_PRIMED) >= 0, this::listenOrNot);
    sdk.listeningStream(new StreamTransport(streams::sendToListener, json));
  }

  UserId user() {
    return user;
  }

  McpSessionId id() {
    return new McpSessionId(sdk.getId());
  }

  McpStreamableServerSession sdk() {
    return sdk;
  }

  /** The protocol version that was agreed on. */
  String version() {
    return version;
  }

  SessionStreams streams() {
    return streams;
  }

  /**
   * Takes a call in.
   *
   * @throws RpcException if one of that id is running
   */
  void begin(Object id, ServerCall call) throws RpcException {
    if (calls.putIfAbsent(id, call) != null) {
      throw new RpcException(
          400, RpcException.INVALID_REQUEST, "a request with this id is being answered");
    }
  }

  /** A call was answered. */
  void end(Object id, ServerCall call) {
    calls.remove(id, call);
    touch();
  }

  /** Cancels a call, if it runs. */
  void cancel(Object id) {
    Optional.ofNullable(calls.get(id)).ifPresent(ServerCall::cancel);
  }

  /**
   * Subscribes to a resource.
   *
   * @return false when there are too many
   */
  boolean subscribe(String uri) {
    if (subscriptions.size() >= MAX_SUBSCRIPTIONS) {
      return false;
    }
    subscriptions.add(uri);
    return true;
  }

  void unsubscribe(String uri) {
    subscriptions.remove(uri);
  }

  /** Changes are looked for only while somebody can be told of them. */
  private void listenOrNot(boolean listened) {
    synchronized (lock) {
      if (listened && listening == null) {
        listening = changes.listen(user, this::tell);
      } else if (!listened && listening != null) {
        listening.close();
        listening = null;
      }
    }
  }

  private void tell(Change change) {
    if (change instanceof Change.Tools) {
      tell("notifications/tools/list_changed", Map.of());
    } else if (change instanceof Change.Prompts) {
      tell("notifications/prompts/list_changed", Map.of());
    } else if (change instanceof Change.ResourceList) {
      tell("notifications/resources/list_changed", Map.of());
    } else if (change instanceof Change.Resource resource
        && subscriptions.contains(resource.uri())) {
      tell("notifications/resources/updated", Map.of("uri", resource.uri()));
    }
  }

  private void tell(String method, Map<String, Object> params) {
    sdk.sendNotification(method, params).subscribe();
  }

  void touch() {
    lastUsedNanos = System.nanoTime();
  }

  /** When the last request came or was answered, by {@link System#nanoTime}. */
  long lastUsedNanos() {
    return lastUsedNanos;
  }

  /** Whether nothing came for that long, no call runs and no stream is open. */
  boolean isIdleFor(long nanos) {
    return calls.isEmpty() && !streams.isListenedTo() && System.nanoTime() - lastUsedNanos >= nanos;
  }

  McpSessionInfo info() {
    return new McpSessionInfo(
        id(), user, version, Duration.ofNanos(System.nanoTime() - lastUsedNanos), calls.size());
  }

  /** Ends its streams, when it has ended. */
  void close() {
    streams.close();
    listenOrNot(false);
  }
}
