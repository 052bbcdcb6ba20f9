/** The MCP endpoint: transport, tools, and the mapping of results to the protocol. */
@NullMarked
package io.runstone.mcp;

import org.jspecify.annotations.NullMarked;
