/** Who decided what, and when, in files that show when somebody changes them. */
@NullMarked
package io.runstone.security.audit;

import org.jspecify.annotations.NullMarked;
