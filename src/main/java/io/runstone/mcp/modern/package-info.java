/** MCP of the revision 2026-07-28: no sessions, every request stands for itself. */
@NullMarked
package io.runstone.mcp.modern;

import org.jspecify.annotations.NullMarked;
