/** The port to Python kernels, and what an execution is and results in. */
@NullMarked
package io.runstone.kernel;

import org.jspecify.annotations.NullMarked;
