package io.runstone.upstream.credential;

import static io.runstone.upstream.credential.OAuthBench.ANNA;
import static io.runstone.upstream.credential.OAuthBench.BEN;
import static io.runstone.upstream.credential.OAuthBench.done;
import static io.runstone.upstream.credential.OAuthBench.header;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.runstone.testing.AuthorizationServer;
import io.runstone.upstream.Authorizer;
import io.runstone.upstream.UpstreamException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tokens after the consent: refresh, step-up, revocation, and where they are kept. */
class ConsentedTokensTest {
  @TempDir Path data;

  private final List<String> log = new ArrayList<>();
  private final Logger logger = Logger.getLogger("io.runstone");
  private final Handler handler =
      new Handler() {
        @Override
        public synchronized void publish(LogRecord one) {
          log.add(
              one.getMessage() + java.util.Arrays.toString(one.getParameters()) + one.getThrown());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  private OAuthBench bench;

  @BeforeEach
  void open() throws Exception {
    logger.addHandler(handler);
    bench = new OAuthBench(data);
  }

  @AfterEach
  void close() throws Exception {
    noCanaryAnywhere();
    bench.close();
    logger.removeHandler(handler);
  }

  private void noCanaryAnywhere() throws Exception {
    try (Stream<Path> files = Files.walk(data)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String text = Files.readString(file, StandardCharsets.ISO_8859_1);
        assertThat(text).as(file.toString()).doesNotContain("canary", "anna");
      }
    }
    assertThat(log).noneMatch(line -> line.contains("canary"));
  }

  private void needsConsent() {
    assertThatThrownBy(() -> bench.header(ANNA))
        .isInstanceOfSatisfying(
            UpstreamException.class,
            e -> assertThat(e.kind()).isEqualTo(UpstreamException.Kind.CONSENT_REQUIRED));
  }

  private static boolean refused(Authorizer authorizer, int status, String challenge) {
    return done(authorizer.refused(status, challenge).toCompletableFuture()::join);
  }

  @Test
  void survivesARestart() {
    bench.connect(ANNA);
    String token = bench.header(ANNA);
    bench.restart();
    assertThat(bench.logins.missingConsent(ANNA.user(), bench.crm())).isEmpty();
    assertThat(bench.header(ANNA)).isEqualTo(token);
  }

  @Test
  void twentyAtOnceAreOneRefreshAndItRotates() {
    bench.connect(ANNA);
    long version = bench.logins.version(ANNA.user(), bench.crm());
    for (int round = 1; round <= 3; round++) {
      bench.clock.advance(Duration.ofHours(1));
      CountDownLatch together = new CountDownLatch(20);
      List<CompletableFuture<String>> all =
          IntStream.range(0, 20)
              .mapToObj(
                  i ->
                      CompletableFuture.supplyAsync(
                          () -> {
                            together.countDown();
                            return bench.header(ANNA);
                          },
                          bench.threads.elastic("test-" + i, 1)))
              .toList();
      assertThat(all.stream().map(CompletableFuture::join).distinct()).hasSize(1);
      assertThat(bench.issuer.count("refresh_token")).isEqualTo(round);
    }
    assertThat(bench.logins.version(ANNA.user(), bench.crm())).isEqualTo(version);
    bench.restart();
    bench.clock.advance(Duration.ofHours(1));
    assertThat(bench.header(ANNA)).startsWith("Bearer ");
  }

  @Test
  void invalidGrantMeansConsentAgain() {
    bench.connect(ANNA);
    long version = bench.logins.version(ANNA.user(), bench.crm());
    bench.issuer.forgetAll();
    bench.clock.advance(Duration.ofHours(1));
    needsConsent();
    assertThat(bench.logins.missingConsent(ANNA.user(), bench.crm())).isPresent();
    assertThat(bench.logins.version(ANNA.user(), bench.crm())).isNotEqualTo(version);
    needsConsent();
    assertThat(bench.issuer.count("refresh_token")).isEqualTo(1);
  }

  @Test
  void aDeadIssuerTakesNoConsentAway() {
    bench.connect(ANNA);
    String token = bench.header(ANNA);
    bench.issuer.answer("/token", exchange -> exchange.sendResponseHeaders(503, -1));
    bench.clock.advance(Duration.ofSeconds(3590));
    assertThat(bench.header(ANNA)).isEqualTo(token);
    bench.clock.advance(Duration.ofSeconds(20));
    assertThatThrownBy(() -> bench.header(ANNA))
        .isInstanceOfSatisfying(
            UpstreamException.class,
            e -> {
              assertThat(e.kind()).isEqualTo(UpstreamException.Kind.UNAVAILABLE);
              assertThat(e.isTransport()).isFalse();
            });
    bench.issuer.answerAsUsual("/token");
    assertThat(bench.header(ANNA)).isNotEqualTo(token);
  }

  @Test
  void a401IsARefreshOnce() {
    bench.connect(ANNA);
    Authorizer authorizer = bench.authorizer(ANNA);
    String first = header(authorizer);
    assertThat(refused(authorizer, 401, "Bearer error=\"invalid_token\"")).isTrue();
    assertThat(header(authorizer)).isNotEqualTo(first);
    assertThatThrownBy(() -> refused(authorizer, 401, ""))
        .isInstanceOfSatisfying(
            UpstreamException.class,
            e -> assertThat(e.kind()).isEqualTo(UpstreamException.Kind.CONSENT_REQUIRED));
    assertThat(bench.issuer.count("refresh_token")).isEqualTo(1);
  }

  @Test
  void moreScopesAreAskedForBesidesTheOld() {
    bench.connect(ANNA);
    long version = bench.logins.version(ANNA.user(), bench.crm());
    Authorizer authorizer = bench.authorizer(ANNA);
    header(authorizer);
    assertThatThrownBy(
            () ->
                refused(
                    authorizer,
                    403,
                    "Bearer error=\"insufficient_scope\", scope=\"write admin\","
                        + " resource_metadata=\"x\""))
        .isInstanceOfSatisfying(
            UpstreamException.class,
            e -> {
              assertThat(e.kind()).isEqualTo(UpstreamException.Kind.SCOPE_REQUIRED);
              assertThat(e.link())
                  .hasValue(URI.create("http://localhost:8222/connections?server=crm"));
            });
    assertThat(bench.logins.connections().list(ANNA).get(0).lacking())
        .containsExactlyInAnyOrder("write", "admin");
    URI link = bench.begin(ANNA, "browser");
    assertThat(
            AuthorizationServer.form(link.getRawQuery()).getOrDefault("scope", "").split(" ", -1))
        .containsExactlyInAnyOrder("tools", "write", "admin");
    bench.finish(ANNA, "browser", bench.issuer.consent(link, "anna"));
    assertThat(bench.logins.connections().list(ANNA).get(0).lacking()).isEmpty();
    assertThat(bench.logins.version(ANNA.user(), bench.crm())).isNotEqualTo(version);
    assertThatThrownBy(() -> refused(authorizer, 403, ""))
        .isInstanceOfSatisfying(
            UpstreamException.class,
            e -> assertThat(e.kind()).isEqualTo(UpstreamException.Kind.FORBIDDEN));
  }

  @Test
  void disconnectingGivesTokensBackAndTellsThePool() {
    List<String> changes = new ArrayList<>();
    bench.logins.onChange((user, server) -> changes.add(user + " " + server));
    bench.connect(ANNA);
    bench.connect(BEN);
    String token = bench.header(ANNA).substring(7);
    bench.disconnect(ANNA);
    assertThat(bench.issuer.count("revoke")).isEqualTo(2);
    assertThat(bench.issuer.takes(token)).isFalse();
    needsConsent();
    assertThat(bench.header(BEN)).startsWith("Bearer ");
    assertThat(changes).containsExactly("anna crm", "ben crm", "anna crm");
  }

  @Test
  void aRefreshThatEndsAfterADisconnectBringsNothingBack() throws Exception {
    bench.connect(ANNA);
    bench.clock.advance(Duration.ofHours(1));
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    bench.issuer.answer(
        "/token",
        exchange -> {
          asked.countDown();
          try {
            go.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          byte[] late =
              "{\"access_token\":\"canary-late\",\"refresh_token\":\"canary-later\"}"
                  .getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, late.length);
          exchange.getResponseBody().write(late);
        });
    CompletableFuture<Optional<String>> slow =
        bench.authorizer(ANNA).header().toCompletableFuture();
    asked.await();
    bench.disconnect(ANNA);
    go.countDown();
    assertThatThrownBy(slow::join).hasCauseInstanceOf(UpstreamException.class);
    needsConsent();
  }

  @Test
  void keysCanBeChangedAndAFileOfAnOldOneIsRewritten() throws Exception {
    bench.connect(ANNA);
    bench.keys("k2", "k1");
    bench.restart();
    bench.clock.advance(Duration.ofHours(1));
    String token = bench.header(ANNA);
    bench.keys("k2");
    bench.restart();
    assertThat(bench.header(ANNA)).isEqualTo(token);
    bench.keys("k3");
    bench.restart();
    needsConsent();
  }

  @Test
  void aFileThatIsSomebodyElsesIsNoConsent() throws Exception {
    bench.connect(ANNA);
    List<Path> before = files();
    bench.connect(BEN);
    Path his = files().stream().filter(file -> !before.contains(file)).findFirst().orElseThrow();
    for (Path file : before) {
      Files.copy(his, file, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    }
    bench.restart();
    needsConsent();
  }

  private List<Path> files() throws Exception {
    try (Stream<Path> all = Files.list(data.resolve("credentials"))) {
      return all.toList();
    }
  }

  @Test
  void nothingShowsItsSecrets() {
    bench.connect(ANNA);
    String token = bench.header(ANNA).substring(7);
    assertThat(
            List.of(
                bench.authorizer(ANNA).toString(),
                bench.logins.connections().list(ANNA).toString()))
        .noneMatch(text -> text.contains(token));
  }
}
