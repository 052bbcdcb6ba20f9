package io.runstone.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.runstone.security.UserId;
import io.runstone.session.SessionId;
import io.runstone.session.SessionKey;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SessionNamesTest {

  @Test
  void namesANamedSession() {
    assertThat(SessionNames.objectName(FakeSessions.named("alpha")).getCanonicalName())
        .isEqualTo("io.runstone:id=\"alpha\",type=PythonSession,user=\"ann\"");
  }

  @Test
  void doesNotGiveAwayAnMcpSession() {
    SessionKey key = new SessionKey.Implicit(new UserId("ann"), "secret");
    assertThat(SessionNames.id(key)).matches("mcp:[0-9a-f]{12}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a,b=c", "*", "who?", "\"q\"", "back\\slash", "two\nlines", "cn=x:y"})
  void takesAnyUser(String user) {
    ObjectName name =
        SessionNames.objectName(new SessionKey.Named(new UserId(user), new SessionId("a")));
    assertThat(name.isPattern()).isFalse();
    assertThat(ObjectName.unquote(name.getKeyProperty("user"))).isEqualTo(user);
  }
}
