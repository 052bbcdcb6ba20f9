package io.runstone.kernel;

import java.nio.file.Path;

/**
 * A file with all that a program wrote to a stream, in UTF-8. Whoever keeps the result deletes it.
 *
 * @param name the stream
 * @param path the file
 * @param bytes its size
 * @param complete false if the stream was longer than a file may be; it then has the beginning
 */
public record StreamFile(StreamName name, Path path, long bytes, boolean complete) {}
