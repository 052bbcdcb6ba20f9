package io.runstone.upstream;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A tool of an upstream server, as its {@code tools/list} has it. Immutable.
 *
 * @param definition an object of JSON with at least a {@code name}
 */
public record UpstreamTool(ServerName server, Map<String, Object> definition) {
  public UpstreamTool {
    definition = Collections.unmodifiableMap(new LinkedHashMap<>(definition));
  }

  /** The tool's name. */
  public String name() {
    return String.valueOf(definition.get("name"));
  }

  /** What it says of itself; may be empty. */
  public String description() {
    return definition.get("description") instanceof String text ? text : "";
  }

  /** Whether the server says that calling it again changes nothing more. */
  public boolean isIdempotent() {
    return definition.get("annotations") instanceof Map<?, ?> annotations
        && (Boolean.TRUE.equals(annotations.get("readOnlyHint"))
            || Boolean.TRUE.equals(annotations.get("idempotentHint")));
  }
}
