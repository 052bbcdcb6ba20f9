package io.runstone.security.login;

import static org.assertj.core.api.Assertions.assertThat;

import io.runstone.security.Challenge;
import io.runstone.security.Requester;
import io.runstone.security.Scope;
import io.runstone.security.UserId;
import io.runstone.security.audit.AuditLog;
import java.time.Clock;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AuthenticationFilterTest {
  private static final Challenge OAUTH =
      new Challenge(Optional.of("https://r.example"), Scope.WITHOUT_UPSTREAM);
  private static final Challenge OTHER = new Challenge(Optional.empty(), Scope.WITHOUT_UPSTREAM);

  private static AuthenticationFilter filter(Login login, Challenge challenge) {
    return new AuthenticationFilter(
        (request, response) -> login,
        challenge,
        new LoginRefusals(AuditLog.OFF, Clock.systemUTC()));
  }

  private static FakeExchange send(String path, Login login, Challenge challenge) throws Exception {
    return new FakeExchange(path).through(filter(login, challenge));
  }

  @Test
  void leavesWhoItIsInTheRequest() throws Exception {
    Requester anna = Requester.of(new UserId("anna"));
    FakeExchange exchange = send("/execute", new Login.Accepted(anna), OTHER);
    assertThat(exchange.passed()).isTrue();
    assertThat(exchange.attribute(Requester.ATTRIBUTE)).contains(anna);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/health",
        "/health/live",
        "/health/ready",
        "/health/started",
        "/.well-known/oauth-protected-resource",
        "/.well-known/oauth-protected-resource/mcp"
      })
  void somePathsAreForEverybody(String path) throws Exception {
    assertThat(send(path, new Login.Missing(), OTHER).passed()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "",
        "/mcp",
        "/mcp/",
        "//mcp",
        "/execute",
        "/execute;/health",
        "/health/",
        "/health;a=b",
        "/health/../execute",
        "/health%2f..%2fexecute",
        "/HEALTH",
        "//health",
        "/.well-known/oauth-protected-resource/execute",
        "/.well-known/openid-configuration",
        "/v1/sessions/session",
        "/metrics",
        "/error"
      })
  void everyOtherPathNeedsALogin(String path) throws Exception {
    FakeExchange exchange = send(path, new Login.Missing(), OTHER);
    assertThat(exchange.passed()).isFalse();
    assertThat(exchange.status()).isEqualTo(401);
    assertThat(exchange.header("WWW-Authenticate")).isEqualTo("Bearer realm=\"runstone\"");
    assertThat(exchange.header("Cache-Control")).isEqualTo("no-store");
    assertThat(exchange.json()).containsKey("error");
  }

  @Test
  void saysWhereToGetAToken() throws Exception {
    assertThat(send("/mcp", new Login.Missing(), OAUTH).header("WWW-Authenticate"))
        .isEqualTo(
            "Bearer resource_metadata=\"https://r.example/.well-known/oauth-protected-resource/mcp\","
                + " scope=\"runstone:execute runstone:sessions runstone:files\"");
    assertThat(send("/execute", new Login.Missing(), OAUTH).header("WWW-Authenticate"))
        .contains("resource_metadata=\"https://r.example/.well-known/oauth-protected-resource\",");
  }

  @Test
  void saysThatATokenIsWrong() throws Exception {
    FakeExchange exchange = send("/execute", new Login.Rejected("it has expired"), OAUTH);
    assertThat(exchange.status()).isEqualTo(401);
    assertThat(exchange.header("WWW-Authenticate"))
        .startsWith("Bearer error=\"invalid_token\", error_description=\"it has expired\", ")
        .contains("resource_metadata=");
    assertThat(exchange.json().getString("error")).isEqualTo("it has expired");
  }

  @Test
  void answersMcpClientsInTheirForm() throws Exception {
    FakeExchange exchange = send("/mcp", new Login.Rejected("it has expired"), OAUTH);
    assertThat(exchange.status()).isEqualTo(401);
    assertThat(exchange.json().getString("jsonrpc")).isEqualTo("2.0");
    assertThat(exchange.json().getJsonObject("error").getString("message"))
        .isEqualTo("it has expired");
  }

  @Test
  void anIssuerThatIsDownIsNotTheClientsFault() throws Exception {
    FakeExchange exchange = send("/execute", new Login.Unavailable(), OAUTH);
    assertThat(exchange.status()).isEqualTo(503);
    assertThat(exchange.header("Retry-After")).isEqualTo("5");
  }

  @Test
  void noLoginHelpsWhereNoneIsAllowed() throws Exception {
    FakeExchange exchange = send("/execute", new Login.Forbidden("do this"), OTHER);
    assertThat(exchange.status()).isEqualTo(403);
    assertThat(exchange.json().getString("error")).isEqualTo("do this");
  }

  @Test
  void leavesAloneWhatTheServerAnswered() throws Exception {
    FakeExchange exchange = send("/execute", new Login.Answered(), OTHER);
    assertThat(exchange.passed()).isFalse();
    assertThat(exchange.status()).isEqualTo(200);
  }
}
