package io.runstone.kernel;

import java.util.Map;
import java.util.Optional;

/** One output of an execution, in the terms of Jupyter's messages. */
public sealed interface Output {

  /** Text that the program wrote to a stream, exactly. */
  record Stream(StreamName name, String text) implements Output {}

  /**
   * The value of the cell's last expression.
   *
   * @param data its representations by media type; binary ones in base64, as in Jupyter's messages
   */
  record ExecuteResult(Map<String, String> data) implements Output {
    public ExecuteResult {
      data = Map.copyOf(data);
    }

    /** The representation as text. */
    public String text() {
      return data.getOrDefault(MediaTypes.PLAIN, "");
    }
  }

  /**
   * Something that the cell displayed while it ran.
   *
   * @param data its representations, as above
   * @param displayId by which it can be updated
   * @param update whether it takes the place of what was displayed with that id before
   */
  record DisplayData(Map<String, String> data, Optional<String> displayId, boolean update)
      implements Output {
    public DisplayData {
      data = Map.copyOf(data);
    }
  }

  /**
   * The cell marked what it had put out so far as done with; it is kept all the same.
   *
   * @param deferred whether that was to be seen only when more comes
   */
  record ClearOutput(boolean deferred) implements Output {}

  /** The representations of a rich output; empty for others. */
  default Map<String, String> bundle() {
    if (this instanceof ExecuteResult result) {
      return result.data();
    }
    return this instanceof DisplayData display ? display.data() : Map.of();
  }
}
