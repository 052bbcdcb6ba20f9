package io.runstone.mcp.feature;

/**
 * The form of the URIs of many resources, RFC 6570.
 *
 * @param title for people
 * @param description what they are, and where a URI comes from
 */
public record ResourceTemplate(String uriTemplate, String name, String title, String description) {}
