package io.runstone.admin;

import io.runstone.security.Sha256;
import io.runstone.session.SessionKey;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;

/** How sessions are called over JMX. Pure. */
final class SessionNames {
  static final ObjectName MANAGER = name("io.runstone:type=SessionManager");
  static final ObjectName MCP = name("io.runstone:type=McpEndpoint");
  static final ObjectName UPSTREAM = name("io.runstone:type=Upstream");
  static final ObjectName EVERY_SESSION = name("io.runstone:type=PythonSession,*");

  private static final int DIGEST_DIGITS = 12;

  private SessionNames() {}

  static String id(SessionKey key) {
    return key.shown();
  }

  static ObjectName objectName(SessionKey key) {
    return name(
        "io.runstone:type=PythonSession,user="
            + ObjectName.quote(key.user().value())
            + ",id="
            + ObjectName.quote(id(key)));
  }

  private static ObjectName name(String text) {
    try {
      return new ObjectName(text);
    } catch (MalformedObjectNameException e) {
      throw new IllegalArgumentException(e);
    }
  }

  /** What is shown of an MCP session's id. */
  static String digest(String secret) {
    return Sha256.hex(secret).substring(0, DIGEST_DIGITS);
  }
}
