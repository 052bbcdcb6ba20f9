package io.runstone.upstream.credential;

import static io.runstone.upstream.UpstreamException.Kind.FORBIDDEN;

import io.runstone.upstream.Authorizer;
import io.runstone.upstream.UpstreamException;
import io.runstone.upstream.UpstreamServer;
import io.runstone.upstream.vault.SecretFile;
import io.runstone.upstream.vault.UnusableSecretException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.regex.Pattern;

/** The login with one secret for everybody. Thread-safe. */
final class StaticSecrets {
  /** A secret that says itself how it is sent. */
  private static final Pattern WITH_SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9-]* +\\S.*");

  private final Function<Path, SecretFile> files;

  StaticSecrets(Function<Path, SecretFile> files) {
    this.files = files;
  }

  long version(UpstreamServer.Login.Static login) {
    return files.apply(login.secretFile()).version();
  }

  Authorizer authorizer(UpstreamServer server, UpstreamServer.Login.Static login) {
    return new Authorizer() {
      @Override
      public CompletionStage<Optional<String>> header() {
        try {
          String secret = files.apply(login.secretFile()).firstLine();
          return CompletableFuture.completedStage(
              Optional.of(WITH_SCHEME.matcher(secret).matches() ? secret : "Bearer " + secret));
        } catch (UnusableSecretException e) {
          return CompletableFuture.failedStage(
              new UpstreamException(
                  FORBIDDEN,
                  "the file with the secret of "
                      + server.name()
                      + " can't be used: "
                      + e.getMessage()
                      + "; tell the administrator"));
        }
      }

      @Override
      public CompletionStage<Boolean> refused(int status, String challenge) {
        return CompletableFuture.failedStage(
            new UpstreamException(
                FORBIDDEN,
                "%s refuses the secret of this server (HTTP %d); the administrator has to put a new one into its secret-file"
                    .formatted(server.name(), status)));
      }
    };
  }
}
