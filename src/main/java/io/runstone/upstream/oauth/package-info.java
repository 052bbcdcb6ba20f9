/** OAuth 2.1 as a client: authorization servers, their tokens, and who consented to what. */
@NullMarked
package io.runstone.upstream.oauth;

import org.jspecify.annotations.NullMarked;
