package io.runstone.security.login;

import io.runstone.security.Requester;

/** What came of a request's login. Immutable. */
public sealed interface Login {
  /** It is known who sent the request. */
  record Accepted(Requester requester) implements Login {}

  /** The request has no login. */
  record Missing() implements Login {}

  /**
   * The login is wrong.
   *
   * @param reason a sentence without quotes, and without anything of what was sent
   */
  record Rejected(String reason) implements Login {}

  /** It can't be checked at the moment. */
  record Unavailable() implements Login {}

  /**
   * No login would help.
   *
   * @param reason tells the cure
   */
  record Forbidden(String reason) implements Login {}

  /** The server's own login has answered the request. */
  record Answered() implements Login {}
}
