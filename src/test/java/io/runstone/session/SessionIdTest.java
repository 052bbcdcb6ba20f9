package io.runstone.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SessionIdTest {

  @ParameterizedTest
  @ValueSource(strings = {"a", "0", "alpha", "a.b-c_d", "rest_session", "A9"})
  void takesNames(String value) {
    assertThat(new SessionId(value)).hasToString(value);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "-a", ".a", "_a", "a/b", "a b", "a\n", "\u00e4", "../x", "a:b"})
  void refusesWhatIsNone(String value) {
    assertThatThrownBy(() -> new SessionId(value))
        .isInstanceOfSatisfying(
            SessionException.class,
            e -> assertThat(e.category()).isEqualTo(SessionException.Category.BAD_ID));
  }

  @Test
  void sixtyFourCharactersAreTheMost() {
    assertThat(new SessionId("a".repeat(64)).value()).hasSize(64);
    assertThatThrownBy(() -> new SessionId("a".repeat(65))).isInstanceOf(SessionException.class);
  }
}
