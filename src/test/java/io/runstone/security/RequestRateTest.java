package io.runstone.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RequestRateTest {
  private static final UserId ANNA = new UserId("anna");
  private static final UserId BERT = new UserId("bert");

  private final AtomicLong now = new AtomicLong();
  private final RequestRate rate = new RequestRate(4, now::get);

  private int passes(UserId user, int requests) {
    int passed = 0;
    for (int i = 0; i < requests; i++) {
      passed += rate.refuses(user).isEmpty() ? 1 : 0;
    }
    return passed;
  }

  @Test
  void soManyMayComeAtOnceAndThenSoManyASecond() {
    assertThat(passes(ANNA, 10)).isEqualTo(4);
    now.addAndGet(Duration.ofMillis(500).toNanos());
    assertThat(passes(ANNA, 10)).isEqualTo(2);
    now.addAndGet(Duration.ofMinutes(5).toNanos());
    assertThat(passes(ANNA, 10)).isEqualTo(4);
  }

  @Test
  void usersCountForThemselves() {
    assertThat(passes(ANNA, 10)).isEqualTo(4);
    assertThat(passes(BERT, 1)).isEqualTo(1);
  }

  @Test
  void saysWhenTheNextMayCome() {
    passes(ANNA, 4);
    assertThat(rate.refuses(ANNA)).contains(Duration.ofMillis(250));
    assertThat(RequestRate.seconds(Duration.ofMillis(250))).isEqualTo("1");
    assertThat(RequestRate.seconds(Duration.ofMillis(1001))).isEqualTo("2");
  }

  @Test
  void whoWasQuietIsForgotten() {
    for (int i = 0; i < 5000; i++) {
      rate.refuses(new UserId("user" + i));
    }
    assertThat(passes(ANNA, 10)).isEqualTo(4);
  }

  @Test
  void zeroIsNoBound() {
    RequestRate none = new RequestRate(0, now::get);
    for (int i = 0; i < 1000; i++) {
      assertThat(none.refuses(ANNA)).isEmpty();
    }
  }
}
