/** Python sessions as tools and resources of MCP. */
@NullMarked
package io.runstone.mcp.python;

import org.jspecify.annotations.NullMarked;
