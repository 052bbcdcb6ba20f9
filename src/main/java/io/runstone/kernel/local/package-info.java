/** Kernels that are processes of this machine: a supervisor in a sandbox, and its worker. */
@NullMarked
package io.runstone.kernel.local;

import org.jspecify.annotations.NullMarked;
