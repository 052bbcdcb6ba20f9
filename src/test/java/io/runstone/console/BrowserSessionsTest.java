package io.runstone.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.runstone.security.Requester;
import io.runstone.security.UserId;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BrowserSessionsTest {
  private static final Requester ANNA = Requester.of(new UserId("anna"));
  private static final Requester BEN = Requester.of(new UserId("ben"));

  @Test
  void areOfTheirCookieAndEnd() {
    BrowserSessions sessions = new BrowserSessions(Clock.systemUTC());
    BrowserSessions.Opened opened = sessions.open(ANNA);
    assertThat(sessions.find(Optional.of(opened.cookie()))).hasValue(opened.session());
    assertThat(sessions.find(Optional.of(opened.session().id()))).isEmpty();
    assertThat(sessions.find(Optional.empty())).isEmpty();
    assertThat(opened.session().sent(opened.session().csrf())).isTrue();
    assertThat(opened.session().sent("")).isFalse();
    assertThat(opened + " " + opened.session())
        .doesNotContain(opened.cookie(), opened.session().csrf());
    sessions.end(opened.session());
    assertThat(sessions.find(Optional.of(opened.cookie()))).isEmpty();
  }

  @Test
  void endAfterHalfAnHour() {
    Instant[] now = {Instant.parse("2026-01-01T00:00:00Z")};
    Clock clock =
        new Clock() {
          @Override
          public Instant instant() {
            return now[0];
          }

          @Override
          public java.time.ZoneId getZone() {
            return java.time.ZoneOffset.UTC;
          }

          @Override
          public Clock withZone(java.time.ZoneId zone) {
            throw new UnsupportedOperationException();
          }
        };
    BrowserSessions sessions = new BrowserSessions(clock);
    String cookie = sessions.open(ANNA).cookie();
    now[0] = now[0].plus(Duration.ofMinutes(29));
    assertThat(sessions.find(Optional.of(cookie))).isPresent();
    now[0] = now[0].plus(Duration.ofMinutes(1));
    assertThat(sessions.find(Optional.of(cookie))).isEmpty();
  }

  @Test
  void oneUserCanNotPushOutAnother() {
    BrowserSessions sessions = new BrowserSessions(Clock.systemUTC());
    String bens = sessions.open(BEN).cookie();
    List<String> annas = new ArrayList<>();
    for (int i = 0; i < 10_050; i++) {
      annas.add(sessions.open(ANNA).cookie());
    }
    assertThat(sessions.find(Optional.of(bens))).isPresent();
    assertThat(annas.stream().filter(one -> sessions.find(Optional.of(one)).isPresent()))
        .hasSize(20);
  }
}
