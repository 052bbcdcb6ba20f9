/** What users prove themselves with to upstream servers, for each kind of login. */
@NullMarked
package io.runstone.upstream.credential;

import org.jspecify.annotations.NullMarked;
