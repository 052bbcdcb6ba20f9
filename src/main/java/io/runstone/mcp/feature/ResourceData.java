package io.runstone.mcp.feature;

/**
 * The content of a resource.
 *
 * @param data text, or base64 when it is binary
 */
public record ResourceData(String uri, String mediaType, String data, boolean binary) {
  /** Text. */
  public static ResourceData text(String uri, String mediaType, String text) {
    return new ResourceData(uri, mediaType, text, false);
  }

  /** What is not text, as base64. */
  public static ResourceData binary(String uri, String mediaType, String base64) {
    return new ResourceData(uri, mediaType, base64, true);
  }
}
