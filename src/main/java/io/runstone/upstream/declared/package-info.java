/** The file that declares upstream servers. */
@NullMarked
package io.runstone.upstream.declared;

import org.jspecify.annotations.NullMarked;
