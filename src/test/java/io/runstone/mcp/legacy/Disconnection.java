package io.runstone.mcp.legacy;

import io.runstone.mcp.feature.ToolCall;

/** For tests only: lets a tool end the connection of its call. */
public final class Disconnection {
  private Disconnection() {}

  /** Has the client come back on another connection, if its protocol provides for that. */
  public static void of(ToolCall call) {
    call.unwrap(LegacyToolCall.class).ifPresent(LegacyToolCall::disconnect);
  }
}
