/** The pages where users connect upstream servers to their accounts, and the login to them. */
@NullMarked
package io.runstone.console;

import org.jspecify.annotations.NullMarked;
