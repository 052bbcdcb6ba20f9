package io.runstone.console;

import io.runstone.security.apikey.ApiKeyLogin;

/** How the user of a browser becomes known. Immutable. */
sealed interface BrowserLogin {

  /** As with every request: nobody logs in, or the server's own login asks. */
  record OfRequest() implements BrowserLogin {}

  /** By a form for an API key. */
  record Key(ApiKeyLogin keys) implements BrowserLogin {}

  /** At the issuer of the access tokens. */
  record OpenId(OpenIdLogin login) implements BrowserLogin {}

  /**
   * Not at all.
   *
   * @param cure what the administrator has to do
   */
  record Impossible(String cure) implements BrowserLogin {}
}
