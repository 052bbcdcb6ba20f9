package io.runstone.upstream.client;

import io.runstone.upstream.Authorizer;
import io.runstone.upstream.UpstreamException;
import io.runstone.upstream.UpstreamException.Kind;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Finds out which era a server speaks, and begins a conversation in it: MCP 2026-07-28, "Backward
 * Compatibility". One is used once. Thread-safe.
 */
final class Handshake {
  private static final List<String> LEGACY = List.of("2025-11-25", "2025-06-18", "2025-03-26");
  private static final int MAX_SESSION_ID = 1024;
  private static final int HEADER_MISMATCH = -32020;
  private static final int MISSING_CAPABILITY = -32021;
  private static final int UNSUPPORTED_VERSION = -32022;

  private final Wire wire;
  private final Authorizer authorizer;
  private final AtomicLong ids = new AtomicLong();
  private volatile Optional<Conversation> current = Optional.empty();

  Handshake(Wire wire, Authorizer authorizer) {
    this.wire = wire;
    this.authorizer = authorizer;
  }

  /**
   * A conversation that has begun.
   *
   * @param capabilities what the server says it can do
   */
  record Begun(Conversation conversation, Map<String, Object> capabilities, AtomicLong ids) {}

  /** Begins. */
  CompletableFuture<Begun> begin() {
    return discover(true);
  }

  /** Gives up; the server is told if there is a session already. Completes in any case. */
  CompletableFuture<Void> abandon() {
    Optional<Conversation> last = current;
    if (last.isEmpty()) {
      return CompletableFuture.completedFuture(null);
    }
    last.orElseThrow().close();
    return last.orElseThrow().delete(authorizer);
  }

  private Conversation conversation(Dialect dialect) {
    Conversation conversation = new Conversation(wire, dialect, ids);
    current = Optional.of(conversation);
    return conversation;
  }

  private CompletableFuture<Begun> discover(boolean first) {
    Conversation modern =
        conversation(new Dialect.Modern(wire.settings().name(), wire.settings().version()));
    return modern
        .ask(Ask.plain("server/discover", Map.of(), wire.settings().answerTimeout()), authorizer)
        .answer()
        .thenCompose(answer -> discovered(modern, answer, first));
  }

  private CompletableFuture<Begun> discovered(Conversation modern, Answer answer, boolean first) {
    if (answer instanceof Answer.Result result
        && result.value().get("supportedVersions") instanceof List<?> versions) {
      return versions.contains(Dialect.MODERN_VERSION)
          ? CompletableFuture.completedFuture(
              new Begun(modern, Json.child(result.value().get("capabilities")), ids))
          : legacyOf(versions);
    } else if (answer instanceof Answer.Refusal refusal && refusal.status() < 500) {
      return refused(refusal, first);
    } else if (answer instanceof Answer.Status status && saysNothingOfEras(status.status())) {
      throw Failures.status(status.status(), status.retryAfter());
    }
    return initialize();
  }

  /** Such as a redirection, or a gateway without a server behind it. */
  private static boolean saysNothingOfEras(int status) {
    return (status >= 300 && status < 400)
        || status == 429
        || status == 502
        || status == 503
        || status == 504;
  }

  private CompletableFuture<Begun> refused(Answer.Refusal refusal, boolean first) {
    if (refusal.code() == UNSUPPORTED_VERSION) {
      List<?> supported =
          Json.child(refusal.data()).get("supported") instanceof List<?> list ? list : List.of();
      return supported.contains(Dialect.MODERN_VERSION) && first
          ? discover(false)
          : legacyOf(supported);
    } else if (refusal.code() == HEADER_MISMATCH || refusal.code() == MISSING_CAPABILITY) {
      throw Failures.rejected(refusal.code(), refusal.message());
    }
    return initialize();
  }

  private CompletableFuture<Begun> legacyOf(List<?> versions) {
    if (LEGACY.stream().noneMatch(versions::contains)) {
      throw unsupported(versions.stream().limit(10).map(String::valueOf).toList().toString());
    }
    return initialize();
  }

  private static UpstreamException unsupported(String theirs) {
    return new UpstreamException(
        Kind.UNAVAILABLE,
        "the server speaks another MCP: it has "
            + Failures.clean(theirs, 200)
            + ", known here are "
            + Dialect.MODERN_VERSION
            + " and "
            + String.join(", ", LEGACY));
  }

  private CompletableFuture<Begun> initialize() {
    Map<String, Object> params =
        Map.of(
            "protocolVersion",
            LEGACY.get(0),
            "capabilities",
            Map.of(),
            "clientInfo",
            Map.of("name", wire.settings().name(), "version", wire.settings().version()));
    return conversation(Dialect.Legacy.OPENING)
        .ask(Ask.plain("initialize", params, wire.settings().answerTimeout()), authorizer)
        .answer()
        .thenCompose(answer -> initialized(Answers.result(answer, Dialect.Legacy.OPENING)));
  }

  private CompletableFuture<Begun> initialized(Answer.Result result) {
    String version =
        result.value().get("protocolVersion") instanceof String text ? text : "no version";
    boolean known = LEGACY.contains(version);
    Conversation conversation =
        conversation(
            new Dialect.Legacy(known ? version : LEGACY.get(0), session(result.session())));
    if (!known) {
      throw unsupported(version);
    }
    return conversation
        .tell("notifications/initialized", Map.of(), authorizer)
        .thenApply(
            status -> {
              if (status >= 300) {
                throw Failures.status(status, "");
              }
              return new Begun(conversation, Json.child(result.value().get("capabilities")), ids);
            });
  }

  private static Optional<String> session(String header) {
    if (header.isEmpty()) {
      return Optional.empty();
    } else if (header.length() > MAX_SESSION_ID || !HeaderText.isPlain(header)) {
      throw Failures.garbage("its session has an id that is none");
    }
    return Optional.of(header);
  }
}
