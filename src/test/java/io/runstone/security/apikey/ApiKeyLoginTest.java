package io.runstone.security.apikey;

import static org.assertj.core.api.Assertions.assertThat;

import io.runstone.security.Requester;
import io.runstone.security.Scope;
import io.runstone.security.UserId;
import io.runstone.security.login.FakeExchange;
import io.runstone.security.login.Login;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys that the administrator's program writes, as the guide shows it. */
class ApiKeyLoginTest {
  @TempDir private Path folder;
  private Path file;
  private ApiKeyLogin login;

  @BeforeEach
  void open() {
    file = folder.resolve("keys");
    login = new ApiKeyLogin(file, Clock.systemUTC());
  }

  /** Runs the program as an administrator does, and returns what it prints. */
  private List<String> run(int status, String... command) throws Exception {
    List<String> line =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "server-config/ApiKeys.java",
                file.toString()));
    line.addAll(List.of(command));
    Process process =
        new ProcessBuilder(line).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).isEqualTo(status);
    return out.lines().toList();
  }

  private String mint(String... command) throws Exception {
    return run(0, command).get(0);
  }

  private Login with(String header, String value) {
    FakeExchange exchange = new FakeExchange("/execute").with(header, value);
    return login.authenticate(exchange.request(), exchange.response());
  }

  @Test
  void mintsListsAndRevokesWithoutARestart() throws Exception {
    String annas = mint("mint", "anna");
    String berts = mint("mint", "bert@example.org", "execute");
    assertThat(with("X-API-Key", annas))
        .isInstanceOfSatisfying(
            Login.Accepted.class,
            accepted -> {
              assertThat(accepted.requester().user()).isEqualTo(new UserId("anna"));
              assertThat(accepted.requester().scopes()).isEqualTo(Scope.USUAL);
              assertThat(accepted.requester().address()).isEqualTo("192.0.2.7");
            });
    assertThat(with("Authorization", "bearer  " + berts))
        .isInstanceOfSatisfying(
            Login.Accepted.class,
            accepted -> assertThat(accepted.requester().scopes()).containsExactly(Scope.EXECUTE));

    assertThat(Files.readString(file)).doesNotContain(annas.substring(17), berts.substring(17));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    String id = annas.substring(4, 16);
    assertThat(run(0, "list")).hasSize(3).anyMatch(line -> line.startsWith(id + "  anna"));

    Requester anna = ((Login.Accepted) with("X-API-Key", annas)).requester();
    assertThat(login.stands(anna)).isTrue();
    assertThat(login.stands(Requester.of(anna.user()))).isFalse();
    assertThat(run(0, "revoke", id)).containsExactly("revoked " + id);
    assertThat(login.stands(anna)).isFalse();
    assertThat(with("X-API-Key", annas)).isInstanceOf(Login.Rejected.class);
    assertThat(with("X-API-Key", berts)).isInstanceOf(Login.Accepted.class);
  }

  /** By the server's clock the file has not changed for long, so it is not read for each key. */
  @Test
  void seesAChangeOfAFileThatHasNotChangedForLong() throws Exception {
    login = new ApiKeyLogin(file, Clock.offset(Clock.systemUTC(), Duration.ofHours(1)));
    String annas = mint("mint", "anna");
    assertThat(with("X-API-Key", annas)).isInstanceOf(Login.Accepted.class);
    assertThat(with("X-API-Key", annas)).isInstanceOf(Login.Accepted.class);
    run(0, "revoke", annas.substring(4, 16));
    assertThat(with("X-API-Key", annas)).isInstanceOf(Login.Rejected.class);
  }

  @Test
  void refusesWhatIsNoCommand() throws Exception {
    run(1, "mint", "two words");
    run(1, "mint", "anna", "everything");
    run(1, "revoke", "0123456789ab");
    run(1, "drop");
    assertThat(file).doesNotExist();
  }

  @Test
  void aRequestWithoutAKeyIsNotOneWithAWrongKey() {
    FakeExchange none = new FakeExchange("/execute").with("Authorization", "Basic YTpi");
    assertThat(login.authenticate(none.request(), none.response())).isEqualTo(new Login.Missing());
  }

  @Test
  void aKeyThatIsAlmostRightIsWrong() throws Exception {
    String key = mint("mint", "anna");
    String end = key.endsWith("A") ? "B" : "A";
    for (String wrong :
        List.of(
            key.substring(0, key.length() - 1) + end,
            key.substring(0, key.length() - 1),
            key + "A",
            key.toUpperCase(java.util.Locale.ROOT),
            "",
            "rsk_" + key.substring(4, 16) + "_")) {
      assertThat(with("X-API-Key", wrong)).isInstanceOf(Login.Rejected.class);
    }
    FakeExchange two =
        new FakeExchange("/execute").with("X-API-Key", key).with("Authorization", "Bearer x");
    assertThat(login.authenticate(two.request(), two.response()))
        .isInstanceOf(Login.Rejected.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "anna",
        "0123456789ab anna runstone:execute now sha256:AAAA:AAAA",
        "0123456789ab anna runstone:everything now sha256:AAAAAAAAAAAAAAAAAAAAAA:"
            + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "0123456789ab anna runstone:execute now md5:AAAAAAAAAAAAAAAAAAAAAA:"
            + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
      })
  void nobodyGetsInByAFileWithAWrongLine(String line) throws Exception {
    String key = mint("mint", "anna");
    String good = Files.readString(file);
    assertThat(with("X-API-Key", key)).isInstanceOf(Login.Accepted.class);
    Files.writeString(file, good + line + "\n");
    assertThat(with("X-API-Key", key)).isInstanceOf(Login.Rejected.class);
    Files.writeString(file, good);
    assertThat(with("X-API-Key", key)).isInstanceOf(Login.Accepted.class);
  }

  @Test
  void nobodyGetsInByAFileThatIsGoneOrThatEverybodyCanWrite() throws Exception {
    String key = mint("mint", "anna");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
    assertThat(with("X-API-Key", key)).isInstanceOf(Login.Rejected.class);
    delete();
    assertThat(with("X-API-Key", key)).isInstanceOf(Login.Rejected.class);
  }

  private void delete() throws IOException {
    Files.delete(file);
  }
}
