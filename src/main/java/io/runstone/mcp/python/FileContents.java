package io.runstone.mcp.python;

import io.runstone.kernel.MediaTypes;
import io.runstone.mcp.feature.ResourceData;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Bytes as the content of a resource. Pure but for reading. */
final class FileContents {
  /**
   * JSON has no streams: of something larger a client gets the beginning over MCP, and all over
   * REST.
   */
  private static final int MAX_BYTES = 8 * 1024 * 1024;

  private FileContents() {}

  /** Reads as text if the type and the bytes are text, and else as base64. */
  static ResourceData read(String uri, String mediaType, InputStream in) throws IOException {
    byte[] bytes = in.readNBytes(MAX_BYTES);
    if (MediaTypes.isBinary(mediaType)) {
      return binary(uri, mediaType, bytes);
    }
    try {
      return ResourceData.text(
          uri,
          mediaType,
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
    } catch (CharacterCodingException e) {
      return mediaType.startsWith("text/") && bytes.length == MAX_BYTES
          ? ResourceData.text(uri, mediaType, new String(bytes, StandardCharsets.UTF_8))
          : binary(uri, mediaType, bytes);
    }
  }

  private static ResourceData binary(String uri, String mediaType, byte[] bytes) {
    return ResourceData.binary(uri, mediaType, Base64.getEncoder().encodeToString(bytes));
  }
}
