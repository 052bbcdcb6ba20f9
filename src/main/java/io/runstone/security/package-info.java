/** Who is calling, and from where a request may come. */
@NullMarked
package io.runstone.security;

import org.jspecify.annotations.NullMarked;
