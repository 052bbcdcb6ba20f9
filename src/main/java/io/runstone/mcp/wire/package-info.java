/** JSON-RPC messages and event streams, as both eras of MCP put them on HTTP. */
@NullMarked
package io.runstone.mcp.wire;

import org.jspecify.annotations.NullMarked;
