package io.runstone.upstream.code;

import static org.assertj.core.api.Assertions.assertThat;

import io.runstone.kernel.ExecutionResult;
import io.runstone.kernel.ExecutionText;
import io.runstone.kernel.Outcome;
import io.runstone.kernel.SessionState;
import io.runstone.kernel.StreamName;
import io.runstone.security.Requester;
import io.runstone.security.Scope;
import io.runstone.session.ExecutionTarget;
import io.runstone.upstream.FakeUpstreams;
import io.runstone.upstream.UpstreamException;
import io.runstone.upstream.UpstreamException.Kind;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How calls from Python fail, run at the same time, and end. */
class CodeModeCallsTest extends CodeSession {
  private void failing(UpstreamException e) {
    upstreams.answering((caller, call) -> CompletableFuture.failedStage(e));
  }

  @Test
  void failuresAreExceptionsThatKeepTheMessage() throws Exception {
    String call = "upstream.crm.find_contact('a')";
    for (Map.Entry<Kind, String> expected :
        Map.of(
                Kind.UNKNOWN, "NotFound",
                Kind.FORBIDDEN, "NotAllowed",
                Kind.REJECTED, "Rejected",
                Kind.UNAVAILABLE, "UpstreamUnavailable",
                Kind.SESSION_LOST, "UpstreamUnavailable",
                Kind.TIMEOUT, "Timeout",
                Kind.TOO_LARGE, "LimitReached",
                Kind.LIMIT, "LimitReached",
                Kind.CANCELLED, "Cancelled")
            .entrySet()) {
      failing(new UpstreamException(expected.getKey(), "the cure"));
      assertThat(error(call)).isEqualTo(expected.getValue() + ": the cure");
    }
    URI link = URI.create("https://runstone.example/connect/crm");
    failing(UpstreamException.consent(Kind.SCOPE_REQUIRED, "allow more", link));
    assertThat(error(call)).isEqualTo("ConsentRequired: allow more: " + link);
    assertThat(shown("try: " + call + "\nexcept upstream.ConsentRequired as e: print(e.url)"))
        .isEqualTo(link + "\n");
    failing(new UpstreamException(Kind.TIMEOUT, "slow"));
    assertThat(shown("try: " + call + "\nexcept TimeoutError as e: print(e)")).isEqualTo("slow\n");
    upstreams.answering(
        (caller, one) ->
            FakeUpstreams.answer(
                "{\"isError\":true,\"content\":[{\"type\":\"text\",\"text\":\"no such contact\"}]}"));
    assertThat(error(call)).isEqualTo("ToolError: no such contact");
  }

  @Test
  void whatIsNotThereIsNamedWithWhatIs() throws Exception {
    assertThat(error("upstream.cmr"))
        .contains("AttributeError", "'cmr'", "did you mean 'crm'?", "upstream.servers()");
    assertThat(error("upstream['cmr']")).contains("NotFound");
    assertThat(error("upstream.crm.find_contacts('a')"))
        .contains("AttributeError", "did you mean 'find_contact'?");
    assertThat(shown("isinstance(upstream.NotFound('x'), LookupError)")).isEqualTo("True\n");
    Requester none = new Requester(ANNA.user(), Set.of(Scope.EXECUTE), "", "");
    ExecutionResult result =
        get(
            execute(
                none,
                new ExecutionTarget.OneShot(),
                "import upstream\nupstream.servers()",
                Duration.ofSeconds(20)));
    assertThat(ExecutionText.whole(result)).isEqualTo("no upstream servers\n");
    FakeUpstreams.Released released = upstreams.released.poll(10, TimeUnit.SECONDS);
    assertThat(released).isNotNull();
    assertThat(released.owner()).startsWith("once:");
  }

  @Test
  void coroutinesRunAtTheSameTimeButNotMoreThanMay() throws Exception {
    List<CompletableFuture<Void>> waiting = new CopyOnWriteArrayList<>();
    List<Integer> peaks = new CopyOnWriteArrayList<>();
    upstreams.answering(
        (caller, call) -> {
          CompletableFuture<Void> gate = new CompletableFuture<>();
          waiting.add(gate);
          peaks.add(waiting.size());
          if (waiting.size() == 10) {
            waiting.forEach(one -> CompletableFuture.runAsync(() -> one.complete(null)));
            waiting.clear();
          }
          return gate.thenCompose(
              done ->
                  FakeUpstreams.answer(
                      "{\"content\":[],\"structuredContent\":{\"result\":[\""
                          + call.arguments().get("text")
                          + "\"]}}"));
        });
    String code =
        """
        found = await asyncio.gather(*(upstream.aio.crm.find_contact(text=str(i)) for i in range(50)))
        found == [[str(i)] for i in range(50)]""";
    assertThat(shown(code)).isEqualTo("True\n");
    assertThat(peaks).hasSize(50).allMatch(peak -> peak <= 10);
    assertThat(shown("await upstream.aio.servers()")).startsWith("crm (Customers)");
    assertThat(error("await upstream.aio.crm.nothing()")).contains("NotFound", "'nothing'");
  }

  @Test
  void anExecutionMayMakeOnlySoManyCalls() throws Exception {
    assertThat(error("for i in range(301): upstream.crm.find_contact('a')"))
        .contains("LimitReached", "runstone.upstream.calls-per-execution");
    assertThat(upstreams.called).hasSize(300);
    assertThat(shown("upstream.crm.find_contact('a')")).isEqualTo("['found']\n");
  }

  @Test
  void aTimeoutCancelsWhatRunsAndWhatWaits() throws Exception {
    upstreams.answering((caller, call) -> new CompletableFuture<>());
    run("kept = 1");
    ExecutionResult result =
        get(
            execute(
                ANNA,
                new ExecutionTarget.Named(SESSION),
                "await asyncio.gather(*(upstream.aio.crm.find_contact(text='a') for i in range(30)))",
                Duration.ofSeconds(1)));
    assertThat(result.outcome()).isInstanceOf(Outcome.TimedOut.class);
    assertThat(result.state()).isEqualTo(SessionState.PRESERVED);
    assertThat(upstreams.called)
        .hasSize(10)
        .allMatch(called -> called.call().cancellation().isCancelled());
    echo();
    assertThat(shown("kept, upstream.crm.find_contact('a')")).isEqualTo("(1, ['found'])\n");
  }

  @Test
  void theExampleOfTheGuideRuns() throws Exception {
    String guide = Files.readString(Path.of("docs/guides/code-mode.md"));
    int start = guide.indexOf("```python\n") + "```python\n".length();
    assertThat(shown(guide.substring(start, guide.indexOf("```\n", start)))).isEqualTo("1\n");
    assertThat(upstreams.called)
        .extracting(called -> called.call().tool())
        .containsExactly("find-contact", "send");
  }

  @Test
  void callsAreProgressAndNoOutput() throws Exception {
    upstreams.answering(
        (caller, call) -> {
          call.progress().accept("half\ndone");
          return FakeUpstreams.answer("{\"content\":[]}");
        });
    ExecutionResult result = run("x = upstream.crm.find_contact('secret')");
    assertThat(notes).containsExactly("calling crm.find-contact", "crm.find-contact: half done");
    assertThat(result.stream(StreamName.STDOUT)).isEmpty();
  }
}
