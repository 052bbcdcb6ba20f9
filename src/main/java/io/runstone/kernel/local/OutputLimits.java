package io.runstone.kernel.local;

import io.runstone.config.Settings;
import io.runstone.kernel.StreamName;
import java.nio.file.Path;

/**
 * How much of a cell's output is kept where.
 *
 * @param keptCharacters of each stream in a result
 * @param maxCharacters of both streams, above which the cell is interrupted
 * @param maxRichCharacters of rich output, above which the cell is interrupted
 * @param memoryCharacters of a stream, above which the whole of it goes to a file
 * @param maxFileBytes of a file with a whole stream
 * @param directory where such files are made
 */
record OutputLimits(
    int keptCharacters,
    long maxCharacters,
    long maxRichCharacters,
    int memoryCharacters,
    long maxFileBytes,
    Path directory) {

  static OutputLimits of(Settings.Outputs settings, Path directory) {
    return new OutputLimits(
        settings.keptBytes(),
        settings.maxChars(),
        settings.maxRichChars(),
        Math.min(settings.keptBytes(), settings.shownChars()),
        settings.maxFileBytes(),
        directory);
  }

  StreamSpool spool(StreamName name) {
    return new StreamSpool(name, directory, memoryCharacters, maxFileBytes);
  }
}
