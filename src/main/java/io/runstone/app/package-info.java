/** Wiring: what is made at deployment, in which order, and ended at undeployment. */
@NullMarked
package io.runstone.app;

import org.jspecify.annotations.NullMarked;
