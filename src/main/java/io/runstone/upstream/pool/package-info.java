/** Sessions with upstream servers, kept for the next call: who has which, and when they end. */
@NullMarked
package io.runstone.upstream.pool;

import org.jspecify.annotations.NullMarked;
