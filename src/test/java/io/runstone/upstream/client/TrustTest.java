package io.runstone.upstream.client;

import static io.runstone.upstream.client.ClientFixture.failure;
import static io.runstone.upstream.client.ClientFixture.get;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.runstone.upstream.Authorizer;
import io.runstone.upstream.UpstreamConnection;
import io.runstone.upstream.UpstreamException;
import io.runstone.upstream.UpstreamServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whose certificates are believed. */
@Timeout(60)
class TrustTest {
  private static final String ANSWER =
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"supportedVersions\":[\"2026-07-28\"]}}";

  @TempDir private Path directory;
  private final ClientFixture client = new ClientFixture();
  private HttpsServer server;

  @BeforeEach
  void start() throws Exception {
    Path store = directory.resolve("server.p12");
    List<String> key = List.of("-keystore", store.toString(), "-storepass", "changeit");
    keytool(
        key,
        "-genkeypair",
        "-alias",
        "server",
        "-keyalg",
        "EC",
        "-dname",
        "CN=server",
        "-ext",
        "san=ip:127.0.0.1");
    keytool(
        key,
        "-exportcert",
        "-rfc",
        "-alias",
        "server",
        "-file",
        directory.resolve("server.pem").toString());
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, "changeit".toCharArray());
    }
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, "changeit".toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(context));
    server.createContext(
        "/mcp",
        exchange -> {
          byte[] answer = ANSWER.getBytes(StandardCharsets.UTF_8);
          exchange.getRequestBody().readAllBytes();
          exchange.getResponseHeaders().add("Content-Type", "application/json");
          exchange.sendResponseHeaders(200, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    server.start();
  }

  private static void keytool(List<String> key, String... more)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of(more));
    command.addAll(key);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getInputStream().readAllBytes();
    assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
  }

  @AfterEach
  void close() {
    client.close();
    server.stop(0);
  }

  private CompletionStage<UpstreamConnection> connect(Optional<Path> trust) {
    UpstreamServer plain =
        ClientFixture.server(
            URI.create("https://127.0.0.1:" + server.getAddress().getPort() + "/mcp"));
    return client.connector.connect(
        new UpstreamServer(
            plain.name(),
            plain.url(),
            plain.title(),
            plain.description(),
            plain.login(),
            plain.stateless(),
            plain.tools(),
            plain.timeout(),
            trust),
        Authorizer.NONE,
        () -> {});
  }

  @Test
  void onlyThoseThatAreDeclared() throws Exception {
    assertThat(get(connect(Optional.of(directory.resolve("server.pem")))).protocolVersion())
        .isEqualTo("2026-07-28");

    UpstreamException stranger = failure(connect(Optional.empty()));
    assertThat(stranger.isTransport()).isTrue();
    assertThat(stranger).hasMessageContaining("certificate is not trusted");
    assertThat(client.connector.clients()).isEqualTo(2);
  }

  @Test
  void aFileThatIsNoneIsTold() throws Exception {
    Path empty = Files.writeString(directory.resolve("empty.pem"), "");
    for (Path file : List.of(directory.resolve("missing.pem"), empty)) {
      UpstreamException failure = failure(connect(Optional.of(file)));
      assertThat(failure.isTransport()).isFalse();
      assertThat(failure).hasMessageContaining("PEM");
    }
  }
}
