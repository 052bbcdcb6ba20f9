/** Who gets in: the login of every request, and how a refusal looks. */
@NullMarked
package io.runstone.security.login;

import org.jspecify.annotations.NullMarked;
