package io.runstone.upstream.pool;

import io.runstone.security.UserId;
import io.runstone.upstream.ServerName;
import java.time.Duration;

/**
 * A session with an upstream server, as administrators see it.
 *
 * @param owner what of the user's it belongs to; empty when everything of the user shares it
 * @param protocol the revision of MCP; empty while it is being opened
 * @param runningCalls requests that have not ended
 * @param idle since when it is unused
 */
public record SessionView(
    UserId user,
    String owner,
    ServerName server,
    String protocol,
    int runningCalls,
    Duration idle) {}
