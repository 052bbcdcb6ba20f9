package io.runstone.console;

import io.runstone.security.Requester;
import io.runstone.security.apikey.ApiKeyLogin;

/** How the user of a browser becomes known. Immutable. */
sealed interface BrowserLogin {
  /** Whether what somebody logged in with still counts, as far as that can be told. */
  default boolean stands(Requester accepted) {
    return true;
  }

  /** As with every request: nobody logs in, or the server's own login asks. */
  record OfRequest() implements BrowserLogin {}

  /** By a form for an API key. */
  record Key(ApiKeyLogin keys) implements BrowserLogin {
    @Override
    public boolean stands(Requester accepted) {
      return keys.stands(accepted);
    }
  }

  /** At the issuer of the access tokens. */
  record OpenId(OpenIdLogin login) implements BrowserLogin {}

  /**
   * Not at all.
   *
   * @param cure what the administrator has to do
   */
  record Impossible(String cure) implements BrowserLogin {}
}
