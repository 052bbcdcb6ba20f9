/** The files of users, which their kernels see as {@code /app/uploads}. */
@NullMarked
package io.runstone.workspace;

import org.jspecify.annotations.NullMarked;
