package io.runstone.session;

import io.runstone.kernel.ExecutionResult;
import io.runstone.kernel.Output;
import io.runstone.kernel.StreamFile;
import io.runstone.kernel.StreamName;
import java.util.Set;
import java.util.stream.Collectors;

/** How much an execution put out, in bytes. Pure. */
final class OutputSize {
  private OutputSize() {}

  /** Streams as they were written, as far as they were kept, and the data of rich outputs. */
  static long bytes(ExecutionResult result) {
    Set<StreamName> whole =
        result.files().stream().map(StreamFile::name).collect(Collectors.toSet());
    long bytes = result.files().stream().mapToLong(StreamFile::bytes).sum();
    for (Output output : result.outputs()) {
      if (output instanceof Output.Stream stream && !whole.contains(stream.name())) {
        bytes += utf8(stream.text());
      }
      for (String data : output.bundle().values()) {
        bytes += utf8(data);
      }
    }
    return bytes;
  }

  /** Counts without a copy; half a surrogate pair counts as two, so that a whole one has four. */
  private static long utf8(String text) {
    long bytes = text.length();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c > 0x7f) {
        bytes += c > 0x7ff && !Character.isSurrogate(c) ? 2 : 1;
      }
    }
    return bytes;
  }
}
