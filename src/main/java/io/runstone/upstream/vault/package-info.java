/** Secrets on disk: files that an administrator writes, and files that only the server can read. */
@NullMarked
package io.runstone.upstream.vault;

import org.jspecify.annotations.NullMarked;
