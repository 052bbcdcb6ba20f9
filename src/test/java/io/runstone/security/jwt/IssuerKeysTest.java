package io.runstone.security.jwt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.jwk.JWKMatcher;
import io.runstone.concurrent.Threads;
import io.runstone.config.AuthSettings;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The keys of an issuer that is down, slow, rotates them, or lies; regression tests of issue 5. */
@Timeout(30)
class IssuerKeysTest {
  private static final AuthSettings.KeyTerms TERMS =
      new AuthSettings.KeyTerms(
          Duration.ofMinutes(15), Duration.ofHours(24), Duration.ofSeconds(30));

  private final Threads threads = new Threads(Thread::new);
  private final ThreadPoolExecutor fetchers = threads.queued("fetchers", 1, 1);
  private final ScheduledThreadPoolExecutor timer = threads.timer("timer");
  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1000); // nanoTime may overflow
  private TestIssuer issuer;
  private IssuerKeys keys;

  @BeforeEach
  void open() throws Exception {
    issuer = new TestIssuer();
    keys =
        new IssuerKeys(
            issuer.name(),
            new IssuerMetadata(
                new AuthSettings.Issuer(issuer.name(), Optional.empty()), new BoundedFetch(timer)),
            TERMS,
            fetchers,
            now::get);
  }

  @AfterEach
  void close() {
    issuer.close();
    threads.close();
  }

  private void pass(Duration time) {
    now.addAndGet(time.toNanos());
  }

  private boolean knows(String keyId) throws IssuerKeys.UnavailableException {
    return !keys.select(new JWKMatcher.Builder().keyID(keyId).build()).isEmpty();
  }

  /** Waits until nothing is fetched. */
  private void settle() throws InterruptedException {
    fetchers.shutdown();
    assertThat(fetchers.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void fetchesOnceForManyTokens() throws Exception {
    for (int i = 0; i < 100; i++) {
      assertThat(knows("key-1")).isTrue();
    }
    assertThat(issuer.fetches()).isEqualTo(1);
  }

  @Test
  void findsARotatedKeyAfterTheCooldown() throws Exception {
    assertThat(knows("key-1")).isTrue();
    issuer.rotate();
    assertThat(knows("key-2")).isFalse();
    pass(TERMS.cooldown());
    assertThat(knows("key-2")).isTrue();
    assertThat(knows("key-1")).isFalse();
    assertThat(issuer.fetches()).isEqualTo(2);
  }

  @Test
  void unknownKeysCauseOneFetchPerCooldown() throws Exception {
    assertThat(knows("key-1")).isTrue();
    pass(TERMS.cooldown());
    for (int i = 0; i < 1000; i++) {
      assertThat(knows("unknown-" + i)).isFalse();
    }
    assertThat(issuer.fetches()).isEqualTo(2);
  }

  @Test
  void oldKeysAreFetchedAgainInTheBackground() throws Exception {
    assertThat(knows("key-1")).isTrue();
    issuer.be(TestIssuer.Mood.SILENT);
    pass(TERMS.refresh().plusSeconds(1));
    long start = System.nanoTime();
    assertThat(knows("key-1")).isTrue();
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(1));
    settle();
    assertThat(issuer.fetches()).isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "GOOD")
  void knownKeysOutliveAnIssuerThatFailsAndUnknownOnesAreNotTaken(TestIssuer.Mood mood)
      throws Exception {
    assertThat(knows("key-1")).isTrue();
    issuer.be(mood);
    pass(TERMS.cooldown());
    long start = System.nanoTime();
    assertThat(knows("key-2")).isFalse();
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(3));
    pass(TERMS.lifetime().minus(TERMS.cooldown()).minusSeconds(1));
    assertThat(knows("key-1")).isTrue();
    pass(Duration.ofSeconds(2));
    assertThatThrownBy(() -> knows("key-1")).isInstanceOf(IssuerKeys.UnavailableException.class);
    settle(); // no thread is left with the issuer
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "GOOD")
  void anIssuerThatNeverAnsweredLetsNobodyIn(TestIssuer.Mood mood) throws Exception {
    issuer.be(mood);
    assertThatThrownBy(() -> knows("key-1")).isInstanceOf(IssuerKeys.UnavailableException.class);
    long start = System.nanoTime();
    pass(Duration.ofSeconds(3));
    for (int i = 0; i < 100; i++) {
      assertThatThrownBy(() -> knows("key-1")).isInstanceOf(IssuerKeys.UnavailableException.class);
    }
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(1));
    settle();
  }

  @Test
  void comesBackWhenTheIssuerDoes() throws Exception {
    issuer.be(TestIssuer.Mood.DOWN);
    assertThatThrownBy(() -> knows("key-1")).isInstanceOf(IssuerKeys.UnavailableException.class);
    issuer.be(TestIssuer.Mood.GOOD);
    pass(TERMS.cooldown());
    assertThat(knows("key-1")).isTrue();
  }
}
