package io.runstone.admin;

import io.runstone.session.SessionKey;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;

/**
 * How sessions are called over JMX. Pure. A named one has its own id; the others get an id with a
 * colon, which no name contains. Of an MCP session id only a digest is shown, for whoever knows the
 * id itself can use that MCP session.
 */
final class SessionNames {
  static final ObjectName MANAGER = name("io.runstone:type=SessionManager");
  static final ObjectName MCP = name("io.runstone:type=McpEndpoint");
  static final ObjectName EVERY_SESSION = name("io.runstone:type=PythonSession,*");

  private static final int DIGEST_BYTES = 6;

  private SessionNames() {}

  static String id(SessionKey key) {
    if (key instanceof SessionKey.Named named) {
      return named.id().value();
    } else if (key instanceof SessionKey.Implicit implicit) {
      return "mcp:" + digest(implicit.mcpSessionId());
    } else if (key instanceof SessionKey.OneShot oneShot) {
      return "once:" + oneShot.id();
    }
    return key.label();
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
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(secret.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(Arrays.copyOf(digest, DIGEST_BYTES));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
