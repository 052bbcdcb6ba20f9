/** Login by keys that an administrator gives out. */
@NullMarked
package io.runstone.security.apikey;

import org.jspecify.annotations.NullMarked;
