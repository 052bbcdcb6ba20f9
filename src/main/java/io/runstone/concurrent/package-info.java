/** Named executors on the container's managed threads, and the clock. */
@NullMarked
package io.runstone.concurrent;

import org.jspecify.annotations.NullMarked;
