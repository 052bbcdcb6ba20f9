/** What an MCP server offers, in terms that no era of the protocol has a say in. */
@NullMarked
package io.runstone.mcp.feature;

import org.jspecify.annotations.NullMarked;
