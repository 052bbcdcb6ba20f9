/** A client of MCP over HTTP, for both eras, that bounds all that a server can do to it. */
@NullMarked
package io.runstone.upstream.client;

import org.jspecify.annotations.NullMarked;
