/** Login by tokens of OAuth 2.1, which issuers sign. */
@NullMarked
package io.runstone.security.jwt;

import org.jspecify.annotations.NullMarked;
