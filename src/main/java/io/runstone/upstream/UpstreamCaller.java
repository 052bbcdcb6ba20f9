package io.runstone.upstream;

import io.runstone.security.Requester;

/**
 * On whose behalf an upstream server is asked for something.
 *
 * @param requester who asks
 * @param owner what of the user's owns the conversation: a Python session or an MCP session, in
 *     words that tell it from every other of this user. Two owners never share a conversation with
 *     a server that may remember something of it
 * @param execution id of the execution that asks; empty if none does
 */
public record UpstreamCaller(Requester requester, String owner, String execution) {
  /** One that asks outside of any execution. */
  public UpstreamCaller(Requester requester, String owner) {
    this(requester, owner, "");
  }
}
