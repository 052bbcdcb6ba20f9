/** What every HTTP surface needs: bounded bodies, and responses that outlive a container thread. */
@NullMarked
package io.runstone.http;

import org.jspecify.annotations.NullMarked;
