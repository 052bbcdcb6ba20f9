package io.runstone.console;

import io.runstone.upstream.oauth.ClientDocument;
import java.util.Set;

/**
 * The paths of the pages. They are compared as they are sent, so that no other spelling of another
 * path is taken for one. Pure.
 */
final class ConsolePaths {
  static final String PAGE = "/connections";
  static final String CONNECT = PAGE + "/connect";
  static final String DISCONNECT = PAGE + "/disconnect";
  static final String LOGOUT = PAGE + "/logout";
  static final String CALLBACK = PAGE + "/callback";
  static final String LOGIN = PAGE + "/login";
  static final String LOGIN_CALLBACK = LOGIN + "/callback";

  /** Those that a browser's session opens, and nothing else does. */
  static final Set<String> OF_SESSION = Set.of(PAGE, CONNECT, DISCONNECT, LOGOUT, CALLBACK);

  /** Those that everybody may see. */
  static final Set<String> OPEN = Set.of(LOGIN, LOGIN_CALLBACK, ClientDocument.PATH);

  /** Those where one logs in. */
  static final Set<String> OF_LOGIN = Set.of(LOGIN, LOGIN_CALLBACK);

  private ConsolePaths() {}
}
