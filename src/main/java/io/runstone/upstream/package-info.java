/** The user's other MCP servers: which there are, and a pool of sessions to them. */
@NullMarked
package io.runstone.upstream;

import org.jspecify.annotations.NullMarked;
