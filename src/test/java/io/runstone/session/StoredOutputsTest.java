package io.runstone.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.runstone.config.TestSettings;
import io.runstone.kernel.ExecutionId;
import io.runstone.kernel.ExecutionResult;
import io.runstone.kernel.Outcome;
import io.runstone.kernel.Output;
import io.runstone.kernel.SessionState;
import io.runstone.kernel.StreamFile;
import io.runstone.kernel.StreamName;
import io.runstone.security.UserId;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoredOutputsTest {
  private static final UserId ANNA = new UserId("anna");
  private static final UserId BERT = new UserId("bert");

  @TempDir Path directory;

  private StoredOutputs outputs(long bytes) {
    return new StoredOutputs(
        new TestSettings(directory)
            .with("runstone.outputs.stored-bytes", String.valueOf(bytes))
            .with("runstone.outputs.stored-file-bytes", "2000")
            .read()
            .outputs());
  }

  private static ExecutionResult result(List<StreamFile> files, Output... outputs) {
    return new ExecutionResult(
        ExecutionId.random(),
        new Outcome.Ok(),
        List.of(outputs),
        files,
        SessionState.PRESERVED,
        Duration.ZERO,
        Duration.ZERO);
  }

  private static Output display(String type, String text) {
    return new Output.DisplayData(
        Map.of("text/plain", "plain", type, text), Optional.empty(), false);
  }

  private static String content(StoredOutput output) throws Exception {
    try (InputStream in = output.open()) {
      return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
    }
  }

  @Test
  void linksLeadToTheRichestRepresentation() throws Exception {
    StoredOutputs stored = outputs(100_000);
    ExecutionResult result =
        result(
            List.of(),
            new Output.Stream(StreamName.STDOUT, "text"),
            display("image/png", "iVBORw=="),
            new Output.ExecuteResult(Map.of("text/plain", "5")),
            display("text/html", "<b>"));
    stored.store(ANNA, result);
    List<OutputLink> links = OutputLink.of(result);
    assertThat(links).extracting(OutputLink::mediaType).containsExactly("image/png", "text/html");
    assertThat(links).extracting(OutputLink::number).containsExactly(0, 1);
    assertThat(links.get(1).path()).isEqualTo("/v1/executions/" + result.id() + "/outputs/1");
    assertThat(content(stored.find(ANNA, result.id(), 0).orElseThrow())).isEqualTo("\u0089PNG");
    assertThat(content(stored.find(ANNA, result.id(), 1).orElseThrow())).isEqualTo("<b>");
  }

  @Test
  void nobodyElseFindsThem() {
    StoredOutputs stored = outputs(100_000);
    ExecutionResult result = result(List.of(), display("text/html", "<b>"));
    stored.store(ANNA, result);
    assertThat(stored.find(BERT, result.id(), 0)).isEmpty();
    assertThat(stored.find(ANNA, ExecutionId.random(), 0)).isEmpty();
    assertThat(stored.find(ANNA, result.id(), 1)).isEmpty();
    assertThat(stored.find(ANNA, result.id(), -1)).isEmpty();
  }

  @Test
  void theOldestGoesWhenMemoryIsShort() {
    StoredOutputs stored = outputs(10_000);
    ExecutionResult first = result(List.of(), display("text/html", "x".repeat(6000)));
    ExecutionResult second = result(List.of(), display("text/html", "x".repeat(6000)));
    stored.store(ANNA, first);
    stored.store(BERT, second);
    assertThat(stored.find(ANNA, first.id(), 0)).isEmpty();
    assertThat(stored.find(BERT, second.id(), 0)).isPresent();
  }

  @Test
  void filesGoWithTheirExecutionAndAtTheEnd() throws Exception {
    StoredOutputs stored = outputs(100_000);
    Path first = Files.writeString(directory.resolve("first"), "x".repeat(1500));
    Path second = Files.writeString(directory.resolve("second"), "y".repeat(1500));
    ExecutionResult older = result(List.of(new StreamFile(StreamName.STDOUT, first, 1500, true)));
    stored.store(ANNA, older);
    assertThat(content(stored.find(ANNA, older.id(), 0).orElseThrow())).hasSize(1500);
    stored.store(ANNA, result(List.of(new StreamFile(StreamName.STDERR, second, 1500, false))));
    assertThat(first).doesNotExist();
    assertThat(second).exists();
    stored.close();
    assertThat(second).doesNotExist();
  }
}
