package io.runstone.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.runstone.testing.Requirements;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every kernel does with output; each engine's test extends this. */
public abstract class KernelOutputContract extends KernelCallsContract {

  @Test
  void richOutputKeepsItsPlaceBetweenTexts() throws Exception {
    ExecutionResult result =
        run(
            """
            class Rich:
              def _repr_html_(self): return '<b>rich</b>'
              def __repr__(self): return 'plain'
            print('before')
            handle = display(Rich(), display_id='it')
            print('between')
            handle.update(Rich())
            clear_output(wait=True)
            Rich()""");
    Map<String, String> bundle = Map.of("text/plain", "plain", "text/html", "<b>rich</b>");
    assertThat(result.outputs())
        .containsExactly(
            new Output.Stream(StreamName.STDOUT, "before\n"),
            new Output.DisplayData(bundle, Optional.of("it"), false),
            new Output.Stream(StreamName.STDOUT, "between\n"),
            new Output.DisplayData(bundle, Optional.of("it"), true),
            new Output.ClearOutput(true),
            new Output.ExecuteResult(bundle));
  }

  @Test
  void aRepresentationThatFailsIsLeftOut() throws Exception {
    ExecutionResult result =
        run(
            """
            class Bad:
              def _repr_html_(self): raise ValueError
              def _repr_png_(self): return b'\\x89PNG'
              def _repr_mimebundle_(self, include=None, exclude=None): return 5
              def __repr__(self): return 'bad'
            Bad()""");
    assertThat(result.outputs())
        .filteredOn(output -> !(output instanceof Output.Stream)) // IPython warns
        .containsExactly(
            new Output.ExecuteResult(Map.of("text/plain", "bad", "image/png", "iVBORw==")));
  }

  @Test
  void figuresAreShownAsPicturesOnShowAndAtTheEnd() throws Exception {
    boolean missing = run("import matplotlib").outcome() instanceof Outcome.Failed;
    Requirements.need(
        "matplotlib", missing ? Optional.of("the interpreter has none") : Optional.empty());
    ExecutionResult shown =
        run("import matplotlib.pyplot as plt\nplt.plot([1, 2, 3])\nplt.show()\nprint('after')");
    assertThat(shown.outcome()).isEqualTo(new Outcome.Ok());
    assertThat(shown.outputs()).hasSize(2);
    assertThat(Base64.getDecoder().decode(shown.outputs().get(0).bundle().get("image/png")))
        .startsWith(0x89, 'P', 'N', 'G');
    ExecutionResult atEnd = run("plt.plot([3, 2, 1]);\n1 / 0");
    assertThat(atEnd.outcome()).isInstanceOf(Outcome.Failed.class);
    assertThat(atEnd.outputs()).singleElement().matches(o -> o.bundle().containsKey("image/png"));
    assertThat(run("1").outputs()).hasSize(1);
  }

  @Test
  void ofALongStreamTheWholeIsInAFile() throws Exception {
    ExecutionResult result = run("for i in range(30_000): print(f'line {i:05}')");
    assertThat(result.files()).hasSize(1);
    StreamFile file = result.files().get(0);
    assertThat(file.name()).isEqualTo(StreamName.STDOUT);
    assertThat(file.complete()).isTrue();
    assertThat(file.bytes()).isEqualTo(30_000 * 11);
    try (Stream<String> lines = Files.lines(file.path())) {
      assertThat(lines.skip(29_999)).containsExactly("line 29999");
    }
    Files.delete(file.path());
  }

  @Test
  void aFloodWithoutEndIsInterruptedAndNamesTheLimit() throws Exception {
    ExecutionResult result = run("kept = 1\nwhile True: print('x' * 10_000)");
    assertThat(result.outcome())
        .isInstanceOfSatisfying(
            Outcome.Interrupted.class,
            interrupted -> assertThat(interrupted.reason()).contains("runstone.outputs.max-chars"));
    assertThat(result.state()).isEqualTo(SessionState.PRESERVED);
    assertThat(result.files()).singleElement().matches(file -> !file.complete());
    Files.delete(result.files().get(0).path());
    assertThat(shown("kept")).isEqualTo("1\n");
  }

  @Test
  void aThreadThatPrintsAfterItsCellIsNoOutputOfAnotherCell() throws Exception {
    run(
        """
        import os, threading, time
        def late():
          while not os.path.exists('go'): time.sleep(0.01)
          print('late', flush=True)
          open('printed', 'w').close()
        thread = threading.Thread(target=late)
        thread.start()""");
    release();
    ExecutionResult next =
        run("while thread.is_alive(): time.sleep(0.01)\nos.remove('printed')\nprint('mine')");
    assertThat(next.stream(StreamName.STDOUT)).isEqualTo("mine\n");
    assertThat(next.background()).containsExactly(new Output.Stream(StreamName.STDOUT, "late\n"));
    assertThat(run("1").background()).isEmpty();
  }

  /** One whose parent lives, and one whose parent has ended. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "subprocess.Popen(['sh', '-c', code])",
        "subprocess.run(['sh', '-c', '(' + code + ') &'])"
      })
  void aProcessThatPrintsAfterItsCellIsNoOutputOfAnotherCell(String start) throws Exception {
    run(
        """
        import os, subprocess, time
        code = 'until [ -e go ]; do sleep 0.01; done; echo late; echo bad >&2; touch printed'
        """
            + "left = "
            + start);
    assertThat(run("1").background()).isEmpty();
    release();
    ExecutionResult next =
        run(
            "while not os.path.exists('printed'): time.sleep(0.01)\n"
                + "os.remove('printed')\nprint('mine')\nos.system('echo my child')");
    assertThat(next.stream(StreamName.STDOUT)).isEqualTo("mine\nmy child\n");
    assertThat(next.stream(StreamName.STDERR)).isEmpty();
    assertThat(next.background())
        .containsExactlyInAnyOrder(
            new Output.Stream(StreamName.STDOUT, "late\n"),
            new Output.Stream(StreamName.STDERR, "bad\n"));
    ExecutionResult last = run("print('and on')");
    assertThat(last.stream(StreamName.STDOUT)).isEqualTo("and on\n");
    assertThat(last.background()).isEmpty();
  }

  @Test
  void aCharacterOfALeftProcessIsWholeAlsoAroundADisplay() throws Exception {
    run(
        """
        import os, subprocess, time
        def wait(name):
          while not os.path.exists(name): time.sleep(0.01)
        left = subprocess.Popen(['sh', '-c', "until [ -e go ]; do sleep 0.01; done; printf '\\\\303'; touch half;"
          " until [ -e on ]; do sleep 0.01; done; printf '\\\\251'; touch printed"])""");
    release();
    ExecutionResult next =
        run("wait('half')\ndisplay(1)\nopen('on', 'w').close()\nwait('printed')\ndisplay(2)");
    assertThat(next.background())
        .extracting(Output.Stream::text)
        .satisfies(pieces -> assertThat(String.join("", pieces)).isEqualTo("é"));
  }

  @Test
  void aProcessThatWritesWithoutEndHoldsUpNoOtherCell() throws Exception {
    run("import subprocess, time\nleft = subprocess.Popen(['yes'])");
    ExecutionResult next = run("time.sleep(0.3)\nprint('mine')"); // it has begun by then
    assertThat(next.stream(StreamName.STDOUT)).isEqualTo("mine\n");
    assertThat(next.background()).isNotEmpty();
    assertThat(run("left.kill()\nleft.wait()").outcome()).isInstanceOf(Outcome.Ok.class);
    assertThat(shown("print('and on')")).isEqualTo("and on\n");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void withoutADescriptorForNewPipesACellHasThoseOfTheOneBefore(int free) throws Exception {
    run(
        """
        import os, subprocess
        left = subprocess.Popen(['sleep', '30'])
        held = []
        try:
          while True: held.append(os.dup(0))
        except OSError: pass
        for fd in held[len(held) - %d:]: os.close(fd)
        del held[len(held) - %d:]"""
            .formatted(free, free));
    assertThat(shown("print('mine')")).isEqualTo("mine\n");
    assertThat(shown("for fd in held: os.close(fd)\nprint('freed')")).isEqualTo("freed\n");
    assertThat(shown("print('with new pipes')")).isEqualTo("with new pipes\n");
    run("left.kill()\nleft.wait()");
    assertThat(shown("print(len(held) > 9)")).isEqualTo("True\n");
  }

  @Test
  void aCellThatClosedAllStreamsAndLeftAProcessMixesNothing() throws Exception {
    run("import os, subprocess\nleft = subprocess.Popen(['sleep', '30'])\nos.closerange(0, 3)");
    keepsTheStreamsApart();
    run("left.kill()\nleft.wait()");
  }

  @Test
  void manyProcessesThatAreLeftCostNoOutput() throws Exception {
    run("import os, subprocess\nleft = []");
    for (int i = 0; i < 40; i++) {
      assertThat(shown("left.append(subprocess.Popen(['sleep', '30']))\nprint(%d)".formatted(i)))
          .isEqualTo(i + "\n");
    }
    run("for one in left: one.kill(); one.wait()");
    assertThat(shown("os.system('echo child')\nprint('done')")).isEqualTo("child\ndone\n");
  }

  @Test
  void aThreadOfTheCellItselfPrintsIntoIt() throws Exception {
    assertThat(
            shown(
                "import threading\nt = threading.Thread(target=lambda: print('x'))\nt.start()\nt.join()"))
        .isEqualTo("x\n");
  }

  @Test
  void withoutWritingFilesCanBeDeletedButNotGrow() throws Exception {
    run("open('full', 'w').write('x')");
    ExecuteRequest write =
        new ExecuteRequest(
            ExecutionId.random(),
            "with open('more', 'w') as f: f.write('x')",
            Duration.ofSeconds(9));
    ExecutionResult refused = kernel.execute(write.withoutWriting(), OutputListener.NONE);
    assertThat(refused.error().orElseThrow().traceback()).contains("runstone.workspace.max-bytes");
    ExecuteRequest delete =
        new ExecuteRequest(
            ExecutionId.random(), "import os; os.remove('full')", Duration.ofSeconds(9));
    assertThat(kernel.execute(delete.withoutWriting(), OutputListener.NONE).outcome())
        .isEqualTo(new Outcome.Ok());
    assertThat(run("open('more', 'w').write('x')").outcome()).isEqualTo(new Outcome.Ok());
  }
}
