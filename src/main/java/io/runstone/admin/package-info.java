/** The management surface: what administrators see and do over JMX. */
@NullMarked
package io.runstone.admin;

import org.jspecify.annotations.NullMarked;
