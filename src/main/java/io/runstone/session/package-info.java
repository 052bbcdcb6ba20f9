/** Python sessions: who has which, what they run, and when they end. */
@NullMarked
package io.runstone.session;

import org.jspecify.annotations.NullMarked;
