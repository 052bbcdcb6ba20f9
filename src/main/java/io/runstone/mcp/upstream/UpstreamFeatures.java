package io.runstone.mcp.upstream;

import io.runstone.mcp.feature.Features;
import io.runstone.mcp.feature.McpSessionId;
import io.runstone.mcp.feature.Tool;
import io.runstone.security.UserId;
import io.runstone.upstream.Upstreams;
import java.util.List;

/** What MCP clients can do with upstream servers, where there are any. Thread-safe. */
public final class UpstreamFeatures implements Features {
  private static final String INSTRUCTIONS =
      "In Python, import upstream gives the user's other MCP servers: upstream.servers() lists them,"
          + " upstream.search('words') finds tools, and upstream.SERVER.TOOL(...) calls one and returns"
          + " its result as a value, so that one script can do what would take many calls.";

  private final Upstreams upstreams;
  private final int shownChars;

  /**
   * Offers servers.
   *
   * @param shownChars how much of a text a result shows
   */
  public UpstreamFeatures(Upstreams upstreams, int shownChars) {
    this.upstreams = upstreams;
    this.shownChars = shownChars;
  }

  @Override
  public List<Tool> tools() {
    return new UpstreamTools(upstreams, shownChars).tools();
  }

  @Override
  public String instructions() {
    return INSTRUCTIONS;
  }

  @Override
  public void ended(UserId user, McpSessionId session) {
    upstreams.release(user, UpstreamTools.owner(session));
  }
}
