/** MCP of the revisions 2025-03-26 to 2025-11-25: sessions, and streams that can be resumed. */
@NullMarked
package io.runstone.mcp.legacy;

import org.jspecify.annotations.NullMarked;
