package io.runstone.session;

import io.runstone.kernel.ExecutionResult;
import io.runstone.kernel.MediaTypes;
import io.runstone.kernel.Output;
import io.runstone.kernel.StreamFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/** An output of an execution that can be fetched after it. Immutable. */
public sealed interface StoredOutput {
  /** Plain text of a value is worth a link when it is longer than this; in characters. */
  int LONG_TEXT = 10_000;

  /** What it is to people, such as {@code display_data} or {@code stdout}. */
  String name();

  /** What it is, as a media type. */
  String mediaType();

  /** Its size in bytes. */
  long size();

  /**
   * Opens its content.
   *
   * @throws IOException if it is gone by now
   */
  InputStream open() throws IOException;

  /** Rich output, in memory. */
  record InMemory(String name, String mediaType, String text) implements StoredOutput {
    @Override
    public long size() {
      return MediaTypes.isBinary(mediaType) ? text.length() / 4L * 3 : text.length();
    }

    @Override
    public InputStream open() throws IOException {
      return new ByteArrayInputStream(bytes());
    }

    private byte[] bytes() throws IOException {
      if (!MediaTypes.isBinary(mediaType)) {
        return text.getBytes(StandardCharsets.UTF_8);
      }
      try {
        return Base64.getDecoder().decode(text);
      } catch (IllegalArgumentException e) { // it came from the sandbox
        throw new IOException("the output is not base64", e);
      }
    }
  }

  /** The whole of a stream, in a file of this server. */
  record OnDisk(String name, Path path, long size) implements StoredOutput {
    @Override
    public String mediaType() {
      return "text/plain";
    }

    @Override
    public InputStream open() throws IOException {
      return Files.newInputStream(path, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
    }
  }

  /** What of a result is worth to be fetched later, in order: rich outputs, then whole streams. */
  static List<StoredOutput> of(ExecutionResult result) {
    List<StoredOutput> all = new ArrayList<>();
    for (Output output : result.outputs()) {
      String name = output instanceof Output.ExecuteResult ? "execute_result" : "display_data";
      MediaTypes.richest(output.bundle())
          .or(() -> longText(output))
          .map(type -> new InMemory(name, type, output.bundle().getOrDefault(type, "")))
          .ifPresent(all::add);
    }
    for (StreamFile file : result.files()) {
      String name = file.name().label() + (file.complete() ? "" : " (beginning)");
      all.add(new OnDisk(name, file.path(), file.bytes()));
    }
    return all;
  }

  private static Optional<String> longText(Output output) {
    return Optional.of(MediaTypes.PLAIN)
        .filter(type -> output.bundle().getOrDefault(type, "").length() > LONG_TEXT);
  }
}
