package io.runstone.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every kernel does with calls of code to its host; each engine's test extends this. */
public abstract class KernelCallsContract extends KernelContract {
  private static final Duration LONG = Duration.ofSeconds(60);

  /** Has functions that code calls the fake host by. */
  private static final String PRELUDE =
      """
      import os, threading, time
      from _runstone import hostcalls
      def ask(body): return hostcalls.call('call', body)
      def attempt(body):
          try: return ask(body)
          except (hostcalls.Refused, RuntimeError) as e: return '%s: %s' % (type(e).__name__, e)
      def thread(work, *args):
          made = threading.Thread(target=work, args=args, daemon=True)
          made.start()
          return made
      said = []
      """;

  private FakeHost host = new FakeHost();

  @BeforeEach
  void begin() {
    host = new FakeHost();
  }

  private ExecutionResult calling(String code) throws InterruptedException {
    return calling(ExecutionId.random(), code, LONG);
  }

  private ExecutionResult calling(ExecutionId id, String code, Duration timeout)
      throws InterruptedException {
    return kernel.execute(
        new ExecuteRequest(id, code, timeout).withCalls(host), OutputListener.NONE);
  }

  private String answer(String code) throws InterruptedException {
    return ExecutionText.whole(calling(code));
  }

  @Test
  void aCallIsAnsweredWhateverTheTextIs() throws Exception {
    calling(PRELUDE);
    assertThat(
            answer(
                "ask('é \\U0001F600 \"quoted\" \\\\ \\n') == 'é \\U0001F600 \"quoted\" \\\\ \\n'"))
        .isEqualTo("True\n");
    assertThat(answer("len(ask('big 8000000'))")).isEqualTo("8000000\n");
    assertThat(answer("len(ask('x' * 4_000_000))")).isEqualTo("4000000\n");
    assertThat(answer("attempt('x' * 9_000_000)")).contains("larger than");
    assertThat(answer("attempt('fail')")).contains("internal error");
    assertThat(answer("attempt('\\ud800')")).contains("?");
  }

  @Test
  void callsAtTheSameTimeAreAnsweredInAnyOrder() throws Exception {
    calling(PRELUDE);
    host.whenHeld(
        50,
        () -> {
          List<FakeHost.Held> all = new ArrayList<>(host.held);
          Collections.reverse(all);
          all.forEach(FakeHost.Held::answer);
        });
    String threads =
        """
        from concurrent.futures import ThreadPoolExecutor
        bodies = ['hold %d' % i for i in range(50)]
        with ThreadPoolExecutor(50) as pool: answers = list(pool.map(ask, bodies))
        answers == bodies""";
    assertThat(answer(threads)).isEqualTo("True\n");
    host.held.clear();
    String coroutines =
        """
        import asyncio
        answers = await asyncio.gather(*(hostcalls.call_async('call', b) for b in bodies))
        answers == bodies""";
    assertThat(answer(coroutines)).isEqualTo("True\n");
  }

  @Test
  void anInterruptEndsTheWaitingAndTheCall() throws Exception {
    calling(PRELUDE + "kept = 1");
    ExecutionId id = ExecutionId.random();
    host.whenHeld(1, () -> kernel.interrupt(id));
    ExecutionResult result = calling(id, "ask('hold')", LONG);
    assertThat(result.outcome()).isEqualTo(new Outcome.Interrupted());
    assertThat(result.state()).isEqualTo(SessionState.PRESERVED);
    assertThat(host.held.get(0).call().cancellation().isCancelled()).isTrue();
    host.held.get(0).answer();
    assertThat(answer("kept, ask('next')")).isEqualTo("(1, 'next')\n");
  }

  @Test
  void aTimeoutEndsTheWaitingOfThreadsAndCoroutinesToo() throws Exception {
    calling(PRELUDE);
    String code =
        """
        import asyncio
        waiting = [thread(lambda: said.append(attempt('hold'))) for i in range(3)]
        async def wait(): await hostcalls.call_async('call', 'hold')
        await asyncio.gather(wait(), wait())""";
    ExecutionResult result = calling(ExecutionId.random(), code, Duration.ofMillis(700));
    assertThat(result.outcome()).isInstanceOf(Outcome.TimedOut.class);
    assertThat(result.state()).isEqualTo(SessionState.PRESERVED);
    assertThat(host.held).hasSize(5).allMatch(held -> held.call().cancellation().isCancelled());
    assertThat(answer("for t in waiting: t.join(10)\nlen(said), set(s[:7] for s in said)"))
        .isEqualTo("(3, {'Refused'})\n");
  }

  @Test
  void refusedCallsKeepNoCellFromItsEnd() throws Exception {
    calling(PRELUDE);
    String code =
        """
        while True:
            try:
                while True: attempt('again')
            except BaseException: pass""";
    ExecutionResult result = calling(ExecutionId.random(), code, Duration.ofMillis(300));
    assertThat(result.outcome()).isInstanceOf(Outcome.TimedOut.class);
    assertThat(result.state()).isEqualTo(SessionState.LOST);
    assertThat(result.executionTime()).isLessThan(Duration.ofSeconds(6));
  }

  @Test
  void theEndOfACellEndsItsCallsAndNoAnswerReachesAnotherCell() throws Exception {
    calling(PRELUDE);
    ExecutionResult result =
        calling("left = thread(lambda: said.append(attempt('hold')))\nask('held 1')");
    assertThat(result.outcome()).isEqualTo(new Outcome.Ok());
    assertThat(host.held.get(0).call().cancellation().isCancelled()).isTrue();
    host.held.get(0).answer();
    assertThat(answer("left.join(10); said, ask('own')"))
        .contains("Refused", "has ended", "'own'")
        .doesNotContain("hold");
  }

  @Test
  void aCallThatItsCallerGivesUpIsCancelled() throws Exception {
    calling(PRELUDE);
    String code =
        """
        import asyncio
        try: await asyncio.wait_for(hostcalls.call_async('call', 'hold'), 0.2)
        except asyncio.TimeoutError: pass
        ask('next')""";
    CompletableFuture<String> cancelled = new CompletableFuture<>();
    host.whenHeld(1, () -> host.held.get(0).call().cancellation().onCancel(cancelled::complete));
    assertThat(answer(code)).isEqualTo("'next'\n");
    assertThat(cancelled.get(10, TimeUnit.SECONDS)).contains("gave it up");
  }

  @Test
  void onlyTheCellThatRunsMayCall() throws Exception {
    calling(PRELUDE);
    calling(
        "go = threading.Event()\n"
            + "late = thread(lambda: (go.wait(20), said.append(attempt('late'))))");
    assertThat(answer("go.set(); late.join(10); said[-1]"))
        .contains("RuntimeError", "thread whose cell has ended");
    String fork =
        """
        r, w = os.pipe()
        if os.fork() == 0:
            os.write(w, attempt('child').encode()); os._exit(0)
        os.close(w); os.wait()
        os.read(r, 1000).decode()""";
    assertThat(answer(fork)).contains("RuntimeError", "forked process");
    assertThat(answer("attempt('parent')")).isEqualTo("'parent'\n");
  }

  @Test
  void theDeathOfPythonEndsItsCalls() throws Exception {
    calling(PRELUDE);
    ExecutionResult result = calling("thread(attempt, 'hold')\nask('held 1')\nos._exit(3)");
    assertThat(result.outcome()).isInstanceOf(Outcome.KernelDied.class);
    assertThat(host.held.get(0).call().cancellation().isCancelled()).isTrue();
    host.held.get(0).answer();
    assertThat(answer(PRELUDE + "ask('fresh')")).isEqualTo("'fresh'\n");
  }

  @Test
  void answersThatNobodyReadsDelayNoInterrupt() throws Exception {
    calling(PRELUDE);
    ExecutionId id = ExecutionId.random();
    String code =
        """
        for i in range(40): thread(attempt, 'hold')
        ask('held 40')
        print('now', flush=True)
        sum(range(10**13))""";
    ExecutionResult result =
        kernel.execute(
            new ExecuteRequest(id, code, LONG).withCalls(host),
            output -> {
              HostReply large = new HostReply.Answer("x".repeat(4_000_000));
              host.held.forEach(held -> held.reply().complete(large));
              kernel.interrupt(id);
            });
    assertThat(result.outcome()).isInstanceOf(Outcome.Interrupted.class);
    assertThat(result.state()).isEqualTo(SessionState.LOST);
    assertThat(result.executionTime()).isLessThan(Duration.ofSeconds(10));
    assertThat(shown("1 + 1")).isEqualTo("2\n");
  }

  @Test
  void whatCodeForgesMisleadsOnlyItself() throws Exception {
    calling(PRELUDE + "from _runstone import framing\ndef forge(**m): framing.write(3, m)");
    String code =
        """
        import sys
        cell = hostcalls.shell.current.running()
        forge(type='reply', id=cell, call=1, ok=True, body='forged')
        forge(type='host_call', id=cell, call=1, method='call', body='x')
        for number in (-1, 1.5, True, None, 'x', 10**30):
            forge(type='call', id=cell, call=number, method='call', body='x')
        forge(type='call', id=cell, call=5, method='shutdown', body='x')
        forge(type='call', id=cell, call=5, method='call', body={'deep': [[[[[[[[]]]]]]]]})
        forge(type='call', id=cell, call=5, method=['call'], body='x')
        forge(type='call', id=cell + 1, call=6, method='call', body='hold other cell')
        forge(type='call_off', id=cell, call=77)
        forge(type='call', id=cell, call=10**6, method='call', body='hold once')
        forge(type='call', id=cell, call=10**6, method='call', body='hold twice')
        ask('held 1')
        ask('own')""";
    assertThat(answer(code)).isEqualTo("'own'\n");
    assertThat(host.held).extracting(held -> held.call().body()).containsExactly("hold once");
    assertThat(answer("ask('still')")).isEqualTo("'still'\n");
  }

  @Test
  void aFloodOfCallsIsBounded() throws Exception {
    calling(PRELUDE + "from _runstone import framing\ndef forge(**m): framing.write(3, m)");
    String code =
        """
        cell = hostcalls.shell.current.running()
        for i in range(1000, 1060):
            forge(type='call', id=cell, call=i, method='call', body='hold' + 'x' * 1_000_000)
        ask('held 33'), attempt('y' * 1_000_000)""";
    assertThat(answer(code)).contains("too large arguments");
    assertThat(host.held).hasSizeLessThan(40);
    assertThat(answer("ask('after')")).isEqualTo("'after'\n");
    String many =
        """
        import asyncio
        async def one(i): return await hostcalls.call_async('call', str(i)) == str(i)
        all(await asyncio.gather(*map(one, range(5000))))""";
    assertThat(answer(many)).isEqualTo("True\n");
  }

  @Test
  void withoutUpstreamsThereAreNone() throws Exception {
    assertThat(shown("import upstream\nupstream.servers()")).isEqualTo("no upstream servers\n");
    assertThat(run("upstream.crm").error().orElseThrow().traceback())
        .contains("AttributeError", "no upstream server called 'crm'")
        .doesNotContain("_runstone");
  }

  @Test
  void whatIsNotUsedIsNotLoaded() throws Exception {
    assertThat(
            shown(
                "import sys, threading\n"
                    + "[m for m in sys.modules if 'upstream' in m or 'hostcalls' in m],"
                    + " threading.active_count()"))
        .isEqualTo("([], 1)\n");
  }
}
