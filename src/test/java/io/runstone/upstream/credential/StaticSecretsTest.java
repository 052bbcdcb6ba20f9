package io.runstone.upstream.credential;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.runstone.upstream.Authorizer;
import io.runstone.upstream.UpstreamServer;
import io.runstone.upstream.vault.SecretFile;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One secret for everybody, from a file. */
class StaticSecretsTest {
  @TempDir Path directory;

  private Path path() {
    return directory.resolve("secret");
  }

  private void write(String text) throws IOException {
    Files.writeString(path(), text);
    Files.setPosixFilePermissions(path(), PosixFilePermissions.fromString("rw-------"));
  }

  private static String header(Authorizer authorizer) {
    return authorizer.header().toCompletableFuture().join().orElseThrow();
  }

  @Test
  void isSentAsItSaysAndReadAgain() throws Exception {
    SecretFile file = new SecretFile(path(), Clock.systemUTC());
    StaticSecrets secrets = new StaticSecrets(any -> file);
    UpstreamServer.Login.Static login = new UpstreamServer.Login.Static(path());
    UpstreamServer server = Declared.server("crm", URI.create("https://crm.example/mcp"), login);
    Authorizer authorizer = secrets.authorizer(server, login);
    write("canary-1\nmore\n");
    assertThat(header(authorizer)).isEqualTo("Bearer canary-1");
    long version = secrets.version(login);
    assertThat(secrets.version(login)).isEqualTo(version);
    write("Basic canary-2");
    assertThat(header(authorizer)).isEqualTo("Basic canary-2");
    assertThat(secrets.version(login)).isNotEqualTo(version);
    assertThatThrownBy(() -> authorizer.refused(401, "").toCompletableFuture().join())
        .hasMessageContaining("administrator")
        .hasMessageNotContaining("canary");
  }

  @Test
  void whatIsNoSecretIsNotSent() throws Exception {
    SecretFile file = new SecretFile(path(), Clock.systemUTC());
    UpstreamServer.Login.Static login = new UpstreamServer.Login.Static(path());
    Authorizer authorizer =
        new StaticSecrets(any -> file)
            .authorizer(
                Declared.server("crm", URI.create("https://crm.example/mcp"), login), login);
    assertThatThrownBy(() -> header(authorizer)).hasMessageContaining("it is not there");
    write("canary");
    Files.setPosixFilePermissions(path(), PosixFilePermissions.fromString("rw-r--r--"));
    assertThatThrownBy(() -> header(authorizer)).hasMessageContaining("chmod o-rw");
    write("");
    assertThatThrownBy(() -> header(authorizer)).hasMessageContaining("it is empty");
    write("canary\u0007 x");
    assertThatThrownBy(() -> header(authorizer))
        .hasMessageContaining("can't be sent")
        .hasMessageNotContaining("canary");
  }
}
