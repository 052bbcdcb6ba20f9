package io.runstone.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.runstone.kernel.ExecutionId;
import io.runstone.kernel.ExecutionResult;
import io.runstone.kernel.Outcome;
import io.runstone.kernel.Output;
import io.runstone.kernel.SessionState;
import io.runstone.kernel.StreamFile;
import io.runstone.kernel.StreamName;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OutputSizeTest {
  private static long bytes(List<Output> outputs, List<StreamFile> files) {
    return OutputSize.bytes(
        new ExecutionResult(
            ExecutionId.random(),
            new Outcome.Ok(),
            outputs,
            files,
            SessionState.PRESERVED,
            Duration.ZERO,
            Duration.ZERO));
  }

  @Test
  void countsStreamsAndRichOutput() {
    String text = "aé€\ud83d\ude00\n";
    long expected = text.getBytes(StandardCharsets.UTF_8).length;
    assertThat(bytes(List.of(new Output.Stream(StreamName.STDOUT, text)), List.of()))
        .isEqualTo(expected);
    assertThat(bytes(List.of(new Output.ExecuteResult(Map.of("text/plain", text))), List.of()))
        .isEqualTo(expected);
  }

  @Test
  void countsTheWholeOfAStreamOfWhichOnlyTheEndsAreShown() {
    List<Output> outputs =
        List.of(
            new Output.Stream(StreamName.STDOUT, "ends"),
            new Output.Stream(StreamName.STDERR, "err"));
    StreamFile whole = new StreamFile(StreamName.STDOUT, Path.of("/f"), 1000, true);
    assertThat(bytes(outputs, List.of(whole))).isEqualTo(1003);
  }
}
