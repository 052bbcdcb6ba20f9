package io.runstone.security.canary;

import io.runstone.testing.Http;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A server of its own with secrets in its environment, its properties and its files, which logs all
 * that it can. Not thread-safe.
 */
final class CanaryServer implements AutoCloseable {
  private static final long READY_SECONDS = 120;
  private static final String ANNA = "0a0a0a0a0a0a";
  private static final String BERT = "0b0b0b0b0b0b";
  private static final String SCOPES =
      "runstone:execute,runstone:sessions,runstone:files,runstone:upstream";

  private final Canaries canaries;
  private final Process process;
  private final int port;

  /** Where the files are that secrets are read from, and the log. */
  final Path secrets;

  /** What the server writes. */
  final Path data;

  CanaryServer(Path work, Canaries canaries, String upstream) throws Exception {
    this.canaries = canaries;
    this.secrets = Files.createDirectory(work.resolve("secrets"));
    this.data = Files.createDirectory(work.resolve("data"));
    Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwx--x--x"));
    this.port = freePort();
    write("api-keys", line(ANNA, "anna", annasKey()) + line(BERT, "bert", bertsKey()));
    write("upstream-secret", canaries.upstream.text() + "\n");
    byte[] key = canaries.vaultKey.text().getBytes(StandardCharsets.US_ASCII);
    write("upstream-keys", "2026-11-30-0a1b2c " + Base64.getEncoder().encodeToString(key) + "\n");
    write(
        "upstreams.json",
        """
        {"servers": {"vault": {"url": "%s", "login": {"type": "static", "secret-file": "%s"}}}}
        """
            .formatted(upstream, file("upstream-secret")));
    write("server.properties", properties());
    write(
        "logging.properties",
        Files.readString(Path.of("server-config/payara-micro/logging.properties"))
            .replace("io.runstone.level=INFO", "io.runstone.level=ALL"));
    this.process = start();
    awaitReady();
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  Path file(String name) {
    return secrets.resolve(name);
  }

  private void write(String name, String text) throws IOException {
    Files.writeString(file(name), text);
    Files.setPosixFilePermissions(file(name), PosixFilePermissions.fromString("rw-------"));
  }

  private static String line(String id, String user, String key) throws Exception {
    byte[] salt = id.repeat(2).getBytes(StandardCharsets.US_ASCII);
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    digest.update(salt);
    Base64.Encoder base64 = Base64.getUrlEncoder().withoutPadding();
    String hash = base64.encodeToString(digest.digest(key.getBytes(StandardCharsets.US_ASCII)));
    return "%s %s %s 2026-11-30T17:00:00Z sha256:%s:%s%n"
        .formatted(id, user, SCOPES, base64.encodeToString(salt), hash);
  }

  private String properties() {
    return String.join(
        "\n",
        "runstone.auth=api-key",
        "runstone.auth.api-keys-file=" + file("api-keys"),
        "runstone.upstream.file=" + file("upstreams.json"),
        "runstone.upstream.keys-file=" + file("upstream-keys"),
        "runstone.execution.timeout=PT5S",
        "runstone.execution.interrupt-grace=PT1S",
        "company.secret=" + canaries.property.text(),
        "");
  }

  private Process start() throws IOException {
    List<String> command =
        List.of(
            ProcessHandle.current().info().command().orElse("java"),
            "@server-config/payara-micro/jvm.args",
            "-Drunstone.data-dir=" + data,
            "-Drunstone.sandbox=" + System.getProperty("it.sandbox", "auto"),
            "-Dcompany.password=" + canaries.commandLine.text(),
            "-jar",
            System.getProperty("payara.microJar"),
            "--port",
            String.valueOf(port),
            "--nohazelcast",
            "--disablephonehome",
            "--contextroot",
            "/",
            "--prebootcommandfile",
            "server-config/payara-micro/pre-boot.asadmin",
            "--logproperties",
            file("logging.properties").toString(),
            "--systemproperties",
            file("server.properties").toString(),
            "--deploy",
            System.getProperty("runstone.war"));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("RUNSTONE_TEST_SECRET", canaries.environment.text());
    builder.redirectErrorStream(true);
    builder.redirectOutput(file("server.log").toFile());
    return builder.start();
  }

  private void awaitReady() throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(READY_SECONDS);
    while (System.nanoTime() < deadline && process.isAlive()) {
      try {
        if (http(Map.of()).send("GET", "/health", "").status() == 200) {
          return;
        }
      } catch (IOException e) {
        process.waitFor(50, TimeUnit.MILLISECONDS); // its port is not open yet
      }
    }
    close();
    throw new IllegalStateException(
        "the server did not start:\n" + Files.readString(file("server.log")));
  }

  String annasKey() {
    return canaries.annasKey.apiKey(ANNA);
  }

  String bertsKey() {
    return canaries.bertsKey.apiKey(BERT);
  }

  Http http(Map<String, String> headers) {
    return new Http(URI.create("http://localhost:" + port), headers);
  }

  ProcessHandle process() {
    return process.toHandle();
  }

  int port() {
    return port;
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (process.waitFor(20, TimeUnit.SECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    process.destroyForcibly();
  }
}
