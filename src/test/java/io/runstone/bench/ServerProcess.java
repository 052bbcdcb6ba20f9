package io.runstone.bench;

import io.runstone.testing.Http;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A server of its own, started as the README's command starts it. Not thread-safe. */
final class ServerProcess implements AutoCloseable {
  private static final long READY_SECONDS = 120;

  private final Process process;
  private final int port;

  private ServerProcess(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /** Starts one and waits until it answers. */
  static ServerProcess start(Path microJar, Path war, Path data, List<String> settings)
      throws Exception {
    int port = freePort();
    Path properties = Files.createTempFile("runstone-bench", ".properties");
    Files.write(properties, settings);
    List<String> command =
        List.of(
            ProcessHandle.current().info().command().orElse("java"),
            "@server-config/payara-micro/jvm.args",
            "-Drunstone.data-dir=" + data,
            "-jar",
            microJar.toString(),
            "--port",
            String.valueOf(port),
            "--nohazelcast",
            "--disablephonehome",
            "--contextroot",
            "/",
            "--prebootcommandfile",
            "server-config/payara-micro/pre-boot.asadmin",
            "--logproperties",
            "server-config/payara-micro/logging.properties",
            "--systemproperties",
            properties.toString(),
            "--deploy",
            war.toString());
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("MALLOC_ARENA_MAX", "2");
    builder.redirectErrorStream(true);
    builder.redirectOutput(Path.of("target", "bench-server.log").toFile());
    ServerProcess server = new ServerProcess(builder.start(), port);
    server.awaitReady();
    Files.delete(properties);
    return server;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private void awaitReady() throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(READY_SECONDS);
    while (System.nanoTime() < deadline && process.isAlive()) {
      try {
        if (http().send("GET", "/health", "").status() == 200) {
          return;
        }
      } catch (IOException e) {
        process.waitFor(50, TimeUnit.MILLISECONDS); // its port is not open yet
      }
    }
    close();
    throw new IllegalStateException("the server did not start, see target/bench-server.log");
  }

  Http http() {
    return new Http(URI.create("http://localhost:" + port), Map.of());
  }

  /** Resident memory of the server's own process, in MB. */
  long residentMegabytes() throws IOException {
    return field(Path.of("/proc/" + process.pid() + "/status"), "VmRSS:") / 1024;
  }

  /** Proportional memory of everything that the server has started, in MB. */
  double descendantsMegabytes() {
    try (Stream<ProcessHandle> all = process.descendants()) {
      return all.mapToLong(ServerProcess::proportional).sum() / 1024.0;
    }
  }

  private static long proportional(ProcessHandle handle) {
    try {
      return field(Path.of("/proc/" + handle.pid() + "/smaps_rollup"), "Pss:");
    } catch (IOException e) {
      return 0; // it has just ended
    }
  }

  private static long field(Path file, String name) throws IOException {
    try (Stream<String> lines = Files.lines(file)) {
      return lines
          .filter(line -> line.startsWith(name))
          .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
          .findFirst()
          .orElse(0);
    }
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
