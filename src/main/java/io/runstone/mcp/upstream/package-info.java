/** Upstream servers as tools, for agents that don't write code. */
@NullMarked
package io.runstone.mcp.upstream;

import org.jspecify.annotations.NullMarked;
