package io.runstone.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class OutputBufferTest {
  private static String text(OutputBuffer buffer, StreamName name) {
    return buffer.outputs().stream()
        .map(Output.Stream.class::cast)
        .filter(output -> output.name() == name)
        .map(Output.Stream::text)
        .collect(Collectors.joining());
  }

  @Test
  void keepsEverythingWithinTheBoundAndInOrder() {
    OutputBuffer buffer = new OutputBuffer(1000);
    buffer.append(StreamName.STDOUT, "a");
    buffer.append(StreamName.STDERR, "b");
    buffer.append(StreamName.STDOUT, "c");
    assertThat(buffer.outputs())
        .containsExactly(
            new Output.Stream(StreamName.STDOUT, "a"),
            new Output.Stream(StreamName.STDERR, "b"),
            new Output.Stream(StreamName.STDOUT, "c"));
  }

  @Test
  void ofALongStreamKeepsHeadAndTailAndSaysHowMuchIsMissing() {
    OutputBuffer buffer = new OutputBuffer(10);
    buffer.append(StreamName.STDOUT, "0123456789abcdefghij");
    assertThat(text(buffer, StreamName.STDOUT))
        .isEqualTo("01234\n... 10 characters left out ...\nfghij");
  }

  @Test
  void aStreamThatComesInSmallPiecesIsCutAtTheSamePlaces() {
    OutputBuffer buffer = new OutputBuffer(10);
    for (char c : "0123456789abcdefghij".toCharArray()) {
      buffer.append(StreamName.STDERR, String.valueOf(c));
    }
    assertThat(text(buffer, StreamName.STDERR))
        .isEqualTo("01234\n... 10 characters left out ...\nfghij");
  }

  @Test
  void cutsNoCharacterInTwo() {
    OutputBuffer buffer = new OutputBuffer(6);
    buffer.append(StreamName.STDOUT, "ab\uD83D\uDE00\uD83D\uDE00\uD83D\uDE00\uD83D\uDE00c");
    assertThat(text(buffer, StreamName.STDOUT).codePoints())
        .noneMatch(c -> Character.getType(c) == Character.SURROGATE);
  }

  @Test
  void oneStreamDoesNotCostTheOther() {
    OutputBuffer buffer = new OutputBuffer(10);
    buffer.append(StreamName.STDOUT, "x".repeat(1000));
    buffer.append(StreamName.STDERR, "kept");
    assertThat(text(buffer, StreamName.STDERR)).isEqualTo("kept");
  }

  @Test
  void theBoundIsOnWhatTheTextTakesAsJson() {
    OutputBuffer buffer = new OutputBuffer(1200);
    buffer.append(StreamName.STDOUT, "\0".repeat(10_000));
    assertThat(text(buffer, StreamName.STDOUT).length()).isLessThan(300);
  }

  @Test
  void outputInTinyPiecesIsBoundedToo() {
    OutputBuffer buffer = new OutputBuffer(60_000);
    for (int i = 0; i < 100_000; i++) {
      buffer.append(i % 2 == 0 ? StreamName.STDOUT : StreamName.STDERR, "x");
    }
    assertThat(buffer.outputs().size()).isLessThan(1100);
  }
}
