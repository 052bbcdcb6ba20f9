package io.runstone.kernel;

import java.util.Map;

/** One output of an execution, in the terms of Jupyter's messages. */
public sealed interface Output {

  /** Text that the program wrote to a stream, exactly. */
  record Stream(StreamName name, String text) implements Output {}

  /**
   * The value of the cell's last expression.
   *
   * @param data its representations by media type; {@code text/plain} is always there
   */
  record ExecuteResult(Map<String, String> data) implements Output {
    public ExecuteResult {
      data = Map.copyOf(data);
    }

    /** The representation as text. */
    public String text() {
      return data.getOrDefault("text/plain", "");
    }
  }
}
