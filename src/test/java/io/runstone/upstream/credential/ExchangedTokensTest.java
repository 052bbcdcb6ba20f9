package io.runstone.upstream.credential;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.runstone.concurrent.Threads;
import io.runstone.security.Requester;
import io.runstone.security.Scope;
import io.runstone.security.SubjectToken;
import io.runstone.security.UserId;
import io.runstone.testing.AuthorizationServer;
import io.runstone.upstream.Authorizer;
import io.runstone.upstream.UpstreamException;
import io.runstone.upstream.UpstreamServer;
import io.runstone.upstream.oauth.OAuthHttp;
import io.runstone.upstream.vault.SecretFile;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tokens that are given for the caller's own. */
class ExchangedTokensTest {
  @TempDir Path directory;

  private final Threads threads = new Threads(Thread::new);
  private AuthorizationServer issuer;
  private OAuthHttp http;
  private ExchangedTokens tokens;
  private UpstreamServer.Login.Exchange login;
  private UpstreamServer server;

  @BeforeEach
  void open() throws Exception {
    issuer = new AuthorizationServer();
    http = new OAuthHttp(threads, threads.queued("test", 4, 1000), Duration.ofSeconds(5));
    tokens =
        new ExchangedTokens(
            http, path -> new SecretFile(path, Clock.systemUTC()), Clock.systemUTC());
    Path secret = directory.resolve("secret");
    Files.writeString(secret, "s:cret");
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
    login =
        new UpstreamServer.Login.Exchange(
            URI.create(issuer.issuer() + "/token"),
            "crm-audience",
            "runstone",
            Optional.of(secret),
            List.of("read", "write"));
    server = Declared.server("crm", issuer.mcp(), login);
  }

  @AfterEach
  void close() {
    http.close();
    issuer.close();
    threads.close();
  }

  private static Requester anna(String token) {
    return new Requester(
        new UserId("anna"),
        Scope.USUAL,
        "",
        "",
        Set.of(),
        Optional.of(token).filter(t -> !t.isEmpty()).map(SubjectToken::new));
  }

  private static String header(Authorizer authorizer) {
    return authorizer.header().toCompletableFuture().join().orElseThrow();
  }

  @Test
  void asksOnceAndNeverPassesTheCallersTokenOn() {
    Authorizer authorizer = tokens.authorizer(anna("hers"), server, login);
    String first = header(authorizer);
    assertThat(first).startsWith("Bearer canary-access-").doesNotContain("hers");
    assertThat(header(tokens.authorizer(anna("hers"), server, login))).isEqualTo(first);
    assertThat(issuer.last("token"))
        .containsEntry("grant_type", "urn:ietf:params:oauth:grant-type:token-exchange")
        .containsEntry("subject_token", "hers")
        .containsEntry("subject_token_type", "urn:ietf:params:oauth:token-type:access_token")
        .containsEntry("audience", "crm-audience")
        .containsEntry("scope", "read write")
        .containsEntry(
            "authorization",
            "Basic "
                + Base64.getEncoder()
                    .encodeToString("runstone:s%3Acret".getBytes(StandardCharsets.UTF_8)));
    assertThat(header(tokens.authorizer(anna("another"), server, login))).isNotEqualTo(first);
    assertThat(issuer.count("token")).isEqualTo(2);
  }

  @Test
  void twentyAtOnceAreOneExchange() {
    List<CompletableFuture<Optional<String>>> all =
        IntStream.range(0, 20)
            .mapToObj(
                i ->
                    CompletableFuture.supplyAsync(
                            () -> tokens.authorizer(anna("hers"), server, login))
                        .thenCompose(Authorizer::header))
            .toList();
    assertThat(all.stream().map(CompletableFuture::join).distinct()).hasSize(1);
    assertThat(issuer.count("token")).isEqualTo(1);
  }

  @Test
  void aShortLifeIsNotKept() {
    issuer.lifetime = 10;
    header(tokens.authorizer(anna("hers"), server, login));
    header(tokens.authorizer(anna("hers"), server, login));
    assertThat(issuer.count("token")).isEqualTo(2);
  }

  @Test
  void aRefusedTokenIsDroppedOnce() {
    Authorizer authorizer = tokens.authorizer(anna("hers"), server, login);
    String first = header(authorizer);
    assertThat(authorizer.refused(401, "").toCompletableFuture().join()).isTrue();
    assertThat(header(authorizer)).isNotEqualTo(first);
    assertThatThrownBy(() -> authorizer.refused(401, "").toCompletableFuture().join())
        .hasCauseInstanceOf(UpstreamException.class)
        .hasMessageContaining("administrator");
    assertThatThrownBy(() -> authorizer.refused(403, "").toCompletableFuture().join())
        .hasCauseInstanceOf(UpstreamException.class);
  }

  @Test
  void withoutATokenThereIsNothingToExchange() {
    assertThatThrownBy(() -> header(tokens.authorizer(anna(""), server, login)))
        .hasMessageContaining("runstone.auth=jwt");
    assertThat(issuer.seen).isEmpty();
  }

  @Test
  void troubleIsToldWithoutTokens() throws Exception {
    for (String answer :
        List.of("canary", "{}", "{\"access_token\":\"canary a\"}", "{\"access_token\":1}", "[]")) {
      issuer.answer(
          "/token",
          exchange -> {
            exchange.sendResponseHeaders(200, answer.length());
            exchange.getResponseBody().write(answer.getBytes(StandardCharsets.UTF_8));
          });
      assertThatThrownBy(() -> header(tokens.authorizer(anna("canary-hers"), server, login)))
          .as(answer)
          .hasCauseInstanceOf(UpstreamException.class)
          .hasMessageContaining("can't be asked")
          .hasMessageNotContaining("canary");
    }
    issuer.answer(
        "/token",
        exchange -> {
          exchange.getResponseHeaders().set("Location", issuer.issuer() + "/elsewhere");
          exchange.sendResponseHeaders(307, -1);
        });
    assertThatThrownBy(() -> header(tokens.authorizer(anna("canary-hers"), server, login)))
        .hasMessageContaining("status 307");
    assertThat(issuer.count("elsewhere")).isZero();
  }
}
