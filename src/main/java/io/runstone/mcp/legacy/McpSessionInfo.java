package io.runstone.mcp.legacy;

import io.runstone.mcp.feature.McpSessionId;
import io.runstone.security.UserId;
import java.time.Duration;

/**
 * An MCP session as it is at the moment; immutable.
 *
 * @param version the protocol version that was agreed on
 * @param idle since the last request, or its answer
 * @param runningCalls requests that are being answered
 */
public record McpSessionInfo(
    McpSessionId id, UserId user, String version, Duration idle, int runningCalls) {}
