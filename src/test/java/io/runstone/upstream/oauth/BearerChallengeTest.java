package io.runstone.upstream.oauth;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class BearerChallengeTest {
  @Test
  void readsWhatServersSay() {
    BearerChallenge one =
        BearerChallenge.of(
            "Basic realm=\"x\", bearer error=\"insufficient_scope\", scope=\"a b:c\","
                + " resource_metadata=\"https://crm.example/.well-known/x\"");
    assertThat(one.error()).isEqualTo("insufficient_scope");
    assertThat(one.scopes()).containsExactly("a", "b:c");
    assertThat(one.metadata()).hasValue("https://crm.example/.well-known/x");
    assertThat(BearerChallenge.of("Bearer error=insufficient_scope,scope=a").scopes())
        .containsExactly("a");
  }

  @Test
  void whatIsNoneHasNoFields() {
    for (String header :
        List.of("", "Bearer", "Basic error=\"x\"", "Bearer " + "a".repeat(10_000) + "=\"b\"")) {
      BearerChallenge none = BearerChallenge.of(header);
      assertThat(none.error()).isEmpty();
      assertThat(none.scopes()).isEmpty();
      assertThat(none.metadata()).isEmpty();
    }
  }

  @Test
  void scopesAreBounded() {
    String many = " s".repeat(500) + " " + "x".repeat(300) + " bad\\one";
    assertThat(BearerChallenge.of("Bearer scope=\"" + many + "\"").scopes()).containsExactly("s");
    StringBuilder different = new StringBuilder();
    for (int i = 0; i < 500; i++) {
      different.append(" s").append(i);
    }
    assertThat(BearerChallenge.of("Bearer scope=\"" + different + "\"").scopes()).hasSize(50);
  }
}
