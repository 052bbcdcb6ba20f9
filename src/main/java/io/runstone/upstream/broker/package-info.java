/** What users do with upstream servers, checked and recorded. */
@NullMarked
package io.runstone.upstream.broker;

import org.jspecify.annotations.NullMarked;
