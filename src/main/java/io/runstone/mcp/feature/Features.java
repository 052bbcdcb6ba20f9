package io.runstone.mcp.feature;

import io.runstone.security.UserId;
import java.util.List;

/**
 * Tools and resources that an endpoint offers beside those of Python sessions. Every bean of this
 * type adds its own; beans may also implement the interfaces of an era for what only that era has.
 */
public interface Features {
  /** More tools. */
  default List<Tool> tools() {
    return List.of();
  }

  /** More kinds of resources. */
  default List<Resources> resources() {
    return List.of();
  }

  /** What a client's model is told of them, as whole sentences; nothing when empty. */
  default String instructions() {
    return "";
  }

  /** An MCP session has ended, and with it what belonged to it. Returns at once. */
  default void ended(UserId user, McpSessionId session) {}

  /** Is told, before the endpoint opens, where to publish changes. */
  default void use(Changes changes) {}
}
