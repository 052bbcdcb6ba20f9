package io.runstone.mcp.feature;

/** A part of what a tool answers. Immutable. */
public sealed interface Content {
  /** Text. */
  record Text(String text) implements Content {}

  /**
   * A picture.
   *
   * @param data as base64
   */
  record Image(String data, String mediaType) implements Content {}

  /**
   * A sound.
   *
   * @param data as base64
   */
  record Audio(String data, String mediaType) implements Content {}

  /** A resource that comes along. */
  record Embedded(ResourceData resource) implements Content {}
}
