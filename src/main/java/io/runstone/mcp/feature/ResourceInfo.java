package io.runstone.mcp.feature;

import java.util.OptionalLong;

/**
 * A resource as it is listed.
 *
 * @param name short, for a list
 * @param description one sentence
 * @param size in bytes, when it is known
 * @param version changes with the content; never shown
 */
public record ResourceInfo(
    String uri,
    String name,
    String description,
    String mediaType,
    OptionalLong size,
    String version) {}
