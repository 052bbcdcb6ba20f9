/** Typed settings, read once from MicroProfile Config. */
@NullMarked
package io.runstone.config;

import org.jspecify.annotations.NullMarked;
