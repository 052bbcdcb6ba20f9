package io.runstone.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.runstone.security.Requester;
import io.runstone.security.Scope;
import io.runstone.security.UserId;
import io.runstone.security.apikey.ApiKeyLogin;
import io.runstone.security.login.Authenticator;
import io.runstone.security.login.FakeExchange;
import io.runstone.security.login.Login;
import io.runstone.security.login.NoLogin;
import jakarta.servlet.http.Cookie;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where a browser's session counts, and where it does not. */
class ConsoleAuthenticatorTest {
  private static final Requester ANNA =
      new Requester(new UserId("anna"), Set.of(Scope.EXECUTE), "key 0123456789ab", "");
  private static final String LINE =
      "0123456789ab anna runstone:execute 2026-11-30 sha256:%s:%s\n"
          .formatted(bytes(16), bytes(32));

  @TempDir private Path folder;
  private final BrowserSessions sessions = new BrowserSessions(Clock.systemUTC());
  private Path keys;
  private BrowserLogin.Key form;

  private static String bytes(int count) {
    return Base64.getUrlEncoder().encodeToString(new byte[count]);
  }

  @BeforeEach
  void writeKeys() throws Exception {
    keys = Files.writeString(folder.resolve("keys"), LINE);
    form = new BrowserLogin.Key(new ApiKeyLogin(keys, Clock.systemUTC()));
  }

  private Authenticator authenticator(boolean secure) {
    return new ConsoleAuthenticator(
        (request, response) -> new Login.Missing(),
        form,
        sessions,
        new ConsoleCookie("runstone-browser", secure));
  }

  private static Login send(Authenticator authenticator, FakeExchange exchange) throws Exception {
    return authenticator.authenticate(exchange.request(), exchange.response());
  }

  private static FakeExchange with(String path, String name, String value) {
    FakeExchange exchange = new FakeExchange(path);
    exchange.cookies = List.of(new Cookie(name, value));
    return exchange;
  }

  @Test
  void opensThePages() throws Exception {
    String cookie = sessions.open(ANNA).cookie();
    for (String path : ConsolePaths.OF_SESSION) {
      assertThat(send(authenticator(false), with(path, "runstone-browser", cookie)))
          .isInstanceOfSatisfying(
              Login.Accepted.class,
              accepted -> assertThat(accepted.requester().user()).isEqualTo(ANNA.user()));
    }
  }

  @Test
  void aSessionEndsWithTheKeyThatOpenedIt() throws Exception {
    String cookie = sessions.open(ANNA).cookie();
    FakeExchange page = with("/connections", "runstone-browser", cookie);
    assertThat(send(authenticator(false), page)).isInstanceOf(Login.Accepted.class);
    Files.writeString(keys, "");
    assertThat(send(authenticator(false), page)).isInstanceOf(Login.Answered.class);
    Files.writeString(keys, LINE);
    assertThat(send(authenticator(false), page)).isInstanceOf(Login.Answered.class);
    String another = sessions.open(ANNA).cookie();
    Files.writeString(keys, LINE.replace(":execute", ":files"));
    page = with("/connections", "runstone-browser", another);
    assertThat(send(authenticator(false), page)).isInstanceOf(Login.Answered.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/mcp",
        "/execute",
        "/v1/sessions/session",
        "/",
        "/connections/../execute",
        "/connections/connect/../../mcp",
        "/connections;a=b",
        "/connections/",
        "//connections",
        "/connections%2f..%2fexecute",
        "/CONNECTIONS",
        "/connectionsx"
      })
  void opensNothingElse(String path) throws Exception {
    String cookie = sessions.open(ANNA).cookie();
    assertThat(send(authenticator(false), with(path, "runstone-browser", cookie)))
        .isInstanceOf(Login.Missing.class);
  }

  @Test
  void withoutASessionTheBrowserIsSentToLogIn() throws Exception {
    FakeExchange page = new FakeExchange("/connections");
    page.query = "server=crm";
    assertThat(send(authenticator(false), page)).isInstanceOf(Login.Answered.class);
    assertThat(page.status()).isEqualTo(303);
    assertThat(page.header("Location")).isEqualTo("/connections/login?server=crm");
    page.query = "server=//evil.example";
    send(authenticator(false), page);
    assertThat(page.header("Location")).isEqualTo("/connections/login");
    FakeExchange callback = new FakeExchange("/connections/callback");
    assertThat(send(authenticator(false), callback)).isInstanceOf(Login.Answered.class);
    assertThat(callback.status()).isEqualTo(403);
    assertThat(callback.text()).contains("not logged in");
  }

  @Test
  void aCookieThatIsWrongOrSlippedInIsNone() throws Exception {
    String cookie = sessions.open(ANNA).cookie();
    assertThat(send(authenticator(false), with("/connections", "runstone-browser", "x")))
        .isInstanceOf(Login.Answered.class);
    assertThat(send(authenticator(true), with("/connections", "runstone-browser", cookie)))
        .isInstanceOf(Login.Answered.class);
    assertThat(send(authenticator(true), with("/connections", "__Host-runstone-browser", cookie)))
        .isInstanceOf(Login.Accepted.class);
    FakeExchange two = new FakeExchange("/connections");
    two.cookies =
        List.of(new Cookie("runstone-browser", "x"), new Cookie("runstone-browser", cookie));
    assertThat(send(authenticator(false), two)).isInstanceOf(Login.Answered.class);
  }

  @Test
  void withoutALoginTheSessionOnlyMarksTheBrowser() throws Exception {
    Authenticator none =
        new ConsoleAuthenticator(
            new NoLogin(false),
            new BrowserLogin.OfRequest(),
            sessions,
            new ConsoleCookie("runstone-browser", false));
    FakeExchange first = new FakeExchange("/connections");
    assertThat(send(none, first)).isInstanceOf(Login.Accepted.class);
    assertThat(first.header("Set-Cookie"))
        .startsWith("runstone-browser=")
        .contains("; HttpOnly; SameSite=Lax")
        .doesNotContain("Secure");
    FakeExchange network = new FakeExchange("/connections");
    network.localAddress = "192.0.2.1";
    assertThat(send(none, network)).isInstanceOf(Login.Forbidden.class);
    assertThat(network.header("Set-Cookie")).isEmpty();
  }

  @Test
  void aSessionOfAnotherUserIsNotTakenOver() throws Exception {
    String annas = sessions.open(ANNA).cookie();
    Authenticator none =
        new ConsoleAuthenticator(
            new NoLogin(false),
            new BrowserLogin.OfRequest(),
            sessions,
            new ConsoleCookie("runstone-browser", false));
    FakeExchange exchange = with("/connections", "runstone-browser", annas);
    assertThat(send(none, exchange))
        .isInstanceOfSatisfying(
            Login.Accepted.class,
            login -> assertThat(login.requester().user()).isEqualTo(UserId.ANONYMOUS));
    assertThat(exchange.header("Set-Cookie")).isNotEmpty();
  }
}
