package io.runstone.upstream;

import io.runstone.security.Requester;

/**
 * On whose behalf an upstream server is asked for something.
 *
 * @param requester who asks
 * @param owner what of the user's owns the conversation: a Python session or an MCP session, in
 *     words that tell it from every other of this user. Two owners never share a conversation with
 *     a server that may remember something of it
 */
public record UpstreamCaller(Requester requester, String owner) {}
