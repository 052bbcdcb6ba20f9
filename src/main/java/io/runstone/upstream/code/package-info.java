/** Code mode: what Python code of users calls their upstream servers by. */
@NullMarked
package io.runstone.upstream.code;

import org.jspecify.annotations.NullMarked;
