package io.runstone.kernel;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The one result of an execution, which every surface maps to its wire. Immutable.
 *
 * @param id the execution
 * @param outcome how it ended
 * @param outputs what it put out, in order; bounded, see {@link OutputBuffer}
 * @param files the whole of streams of which {@code outputs} has only the ends
 * @param background what threads of earlier cells, or processes they left, have written since the
 *     last result; no output of this cell
 * @param state what became of the variables
 * @param executionTime wall-clock time in Python
 * @param peakMemoryBytes the most memory that the session's process has had resident, up to now; 0
 *     if not known
 * @param cpuTime processor time of the cell and the processes it waited for, as measured
 */
public record ExecutionResult(
    ExecutionId id,
    Outcome outcome,
    List<Output> outputs,
    List<StreamFile> files,
    List<Output.Stream> background,
    SessionState state,
    Duration executionTime,
    Duration cpuTime,
    long peakMemoryBytes) {
  public ExecutionResult {
    outputs = List.copyOf(outputs);
    files = List.copyOf(files);
    background = List.copyOf(background);
  }

  /** A result without background output, of a process whose memory is not known. */
  public ExecutionResult(
      ExecutionId id,
      Outcome outcome,
      List<Output> outputs,
      List<StreamFile> files,
      SessionState state,
      Duration executionTime,
      Duration cpuTime) {
    this(id, outcome, outputs, files, List.of(), state, executionTime, cpuTime, 0);
  }

  /**
   * The result of code that was not run.
   *
   * @param reason a sentence, without its full stop
   */
  public static ExecutionResult rejected(ExecutionId id, SessionState state, String reason) {
    return new ExecutionResult(
        id,
        new Outcome.Rejected(reason),
        List.of(),
        List.of(),
        state,
        Duration.ZERO,
        Duration.ZERO);
  }

  /** What the program wrote to a stream. */
  public String stream(StreamName name) {
    StringBuilder text = new StringBuilder();
    for (Output output : outputs) {
      if (output instanceof Output.Stream stream && stream.name() == name) {
        text.append(stream.text());
      }
    }
    return text.toString();
  }

  /** The value of the last expression, as text. */
  public Optional<String> value() {
    return outputs.stream()
        .filter(Output.ExecuteResult.class::isInstance)
        .map(Output.ExecuteResult.class::cast)
        .map(Output.ExecuteResult::text)
        .findFirst();
  }

  /** The exception, when that is how it ended. */
  public Optional<ErrorInfo> error() {
    return outcome instanceof Outcome.Failed failed
        ? Optional.of(failed.error())
        : Optional.empty();
  }

  /** The same result with another statement about the variables. */
  public ExecutionResult withState(SessionState other) {
    return new ExecutionResult(
        id, outcome, outputs, files, background, other, executionTime, cpuTime, peakMemoryBytes);
  }

  /** The same result with background output. */
  public ExecutionResult withBackground(List<Output.Stream> written) {
    return new ExecutionResult(
        id, outcome, outputs, files, written, state, executionTime, cpuTime, peakMemoryBytes);
  }

  /** The same result with a peak of memory. */
  public ExecutionResult withPeakMemory(long bytes) {
    return new ExecutionResult(
        id, outcome, outputs, files, background, state, executionTime, cpuTime, bytes);
  }

  /** The same result with another statement about how it ended. */
  public ExecutionResult withOutcome(Outcome other) {
    return new ExecutionResult(
        id, other, outputs, files, background, state, executionTime, cpuTime, peakMemoryBytes);
  }

  /** Leaves the outputs out, for they belong in no log. */
  @Override
  public String toString() {
    return "ExecutionResult[" + id + ", " + outcome.status() + ", " + state.label() + "]";
  }
}
