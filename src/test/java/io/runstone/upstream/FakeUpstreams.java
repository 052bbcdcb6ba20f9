package io.runstone.upstream;

import io.runstone.security.Requester;
import io.runstone.security.UserId;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.BiFunction;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Upstream servers whose tools are data, and whose answers a test chooses. Thread-safe. */
public final class FakeUpstreams implements Upstreams {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final TypeReference<Map<String, Object>> OBJECT = new TypeReference<>() {};

  /** A call, and for whom. */
  public record Called(UpstreamCaller caller, UpstreamCall call) {}

  /** A conversation's owner that has ended. */
  public record Released(UserId user, String owner) {}

  public final List<Called> called = new CopyOnWriteArrayList<>();
  public final BlockingQueue<Released> released = new LinkedBlockingQueue<>();
  public final List<UpstreamTool> tools = new CopyOnWriteArrayList<>();
  public final List<Summary> summaries = new CopyOnWriteArrayList<>();
  private volatile BiFunction<UpstreamCaller, UpstreamCall, CompletionStage<UpstreamResult>>
      answers = (caller, call) -> CompletableFuture.failedStage(new IllegalStateException());

  /** Declares a server. */
  public FakeUpstreams server(String name, String title, String description, String connect) {
    summaries.add(
        new Summary(
            new ServerName(name),
            title,
            description,
            connect.isEmpty() ? Optional.empty() : Optional.of(URI.create(connect))));
    return this;
  }

  /** Declares a tool, as JSON. */
  public FakeUpstreams tool(String server, String definition) {
    tools.add(new UpstreamTool(new ServerName(server), JSON.readValue(definition, OBJECT)));
    return this;
  }

  /** Chooses the answers. */
  public void answering(
      BiFunction<UpstreamCaller, UpstreamCall, CompletionStage<UpstreamResult>> chosen) {
    answers = chosen;
  }

  /** An answer, as JSON. */
  public static CompletionStage<UpstreamResult> answer(String json) {
    return CompletableFuture.completedStage(
        new UpstreamResult(JSON.readValue(json, OBJECT), json.length()));
  }

  @Override
  public List<Summary> servers(Requester requester) {
    return summaries.stream().filter(s -> requester.mayUse(s.name().value())).toList();
  }

  @Override
  public CompletionStage<List<UpstreamTool>> tools(UpstreamCaller caller, ServerName server) {
    List<UpstreamTool> own = tools.stream().filter(t -> t.server().equals(server)).toList();
    return own.isEmpty()
        ? CompletableFuture.failedStage(Upstreams.unknown(server))
        : CompletableFuture.completedStage(own);
  }

  @Override
  public CompletionStage<Matches> search(
      UpstreamCaller caller, ServerName server, String query, int limit) {
    return tools(caller, server)
        .thenCombine(search(caller, query, limit), (known, found) -> found)
        .thenApply(found -> new Matches(found.tools(), List.of()));
  }

  @Override
  public CompletionStage<Matches> search(UpstreamCaller caller, String query, int limit) {
    String wanted = query.toLowerCase(Locale.ROOT);
    List<UpstreamTool> found =
        tools.stream()
            .filter(
                t -> (t.name() + " " + t.description()).toLowerCase(Locale.ROOT).contains(wanted))
            .limit(limit)
            .toList();
    List<Unreachable> unreachable = new ArrayList<>();
    summaries.stream()
        .filter(summary -> summary.connect().isPresent())
        .forEach(
            summary ->
                unreachable.add(
                    new Unreachable(
                        summary.name(),
                        UpstreamException.consent(
                            UpstreamException.Kind.CONSENT_REQUIRED,
                            "the user has to connect it",
                            summary.connect().orElseThrow()))));
    return CompletableFuture.completedStage(new Matches(found, unreachable));
  }

  @Override
  public CompletionStage<UpstreamResult> call(UpstreamCaller caller, UpstreamCall call) {
    called.add(new Called(caller, call));
    return answers.apply(caller, call);
  }

  @Override
  public void release(UserId user, String owner) {
    released.add(new Released(user, owner));
  }
}
