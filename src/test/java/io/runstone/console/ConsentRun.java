package io.runstone.console;

import io.runstone.testing.AuthorizationServer;
import io.runstone.testing.Directories;
import io.runstone.testing.Http;
import io.runstone.testing.canary.Canary;
import io.runstone.testing.canary.JmxScan;
import io.runstone.testing.canary.ProcessScan;
import io.runstone.testing.canary.Scan;
import jakarta.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A whole OAuth run in a real browser against a server of its own: consent, call, expiry and
 * refresh, new keys, revocation, and nowhere a token in clear. {@code src/test/interop/consent.sh}
 * starts it.
 */
public final class ConsentRun implements AutoCloseable {
  /** Stale at once: tokens are replaced half a minute before they expire. */
  private static final int SHORT_LIFE = 31;

  private static final Pattern LINK = Pattern.compile("http://\\S*/connections\\?server=crm");

  private final Path microJar;
  private final Path directory = Files.createTempDirectory("consent");
  private final AuthorizationServer issuer = new AuthorizationServer();
  private final int port = freePort();
  private final Http http;
  private final StringBuilder shown = new StringBuilder();
  private Process server;

  private ConsentRun(Path microJar) throws Exception {
    this.microJar = microJar;
    issuer.answer("/mcp", new UpstreamStub(issuer)::handle);
    run("UpstreamKeys.java", "upstream-keys", "add");
    String key = run("ApiKeys.java", "api-keys", "mint", "anna");
    Files.writeString(directory.resolve("key"), key);
    Files.writeString(
        directory.resolve("servers.json"),
        "{\"servers\": {\"crm\": {\"url\": \"%s\", \"login\": {\"type\": \"oauth\"}}}}"
            .formatted(issuer.mcp()));
    this.http = new Http(URI.create(base()), Map.of("X-API-Key", key));
    this.server = start();
  }

  /** Takes the jar of Payara Micro; {@code runstone.war} is a property. */
  public static void main(String[] args) throws Exception {
    try (ConsentRun run = new ConsentRun(Path.of(args[0]))) {
      run.all();
    }
  }

  private void all() throws Exception {
    String link = consentLink();
    try (Browser browser = new Browser(directory.resolve("browser"))) {
      connect(browser, link);
      browser.await("Connected.");
      say("consented", issuer.count("authorization_code") == 1);
      say("a call works", call().contains("pong"));

      issuer.lifetime = SHORT_LIFE;
      issuer.expireAll();
      say("a call works after expiry", call().contains("pong"));
      say("by a refresh", issuer.count("refresh_token") >= 1);

      String old =
          run("UpstreamKeys.java", "upstream-keys", "list").lines().findFirst().orElseThrow();
      run("UpstreamKeys.java", "upstream-keys", "add");
      say("a call works with a new key", call().contains("pong"));
      run("UpstreamKeys.java", "upstream-keys", "remove", old);
      stop();
      server = start();
      say("and after a restart without the old one", call().contains("pong"));

      sayNone("in JMX or in a sandbox", ofTheRunning());

      logIn(browser, link);
      browser.await("Connected.");
      browser.press("Disconnect");
      browser.await("Not connected.");
      say("tokens were given back", issuer.count("revoke") == 2);
    }
    say("consent is required again", LINK.matcher(call()).find());
    say("there were tokens", issuer.canaries.size() > 3);
    stop();
    sayNone("in clear in a file, the log or an answer", ofTheEnded());
    System.out.println("ok");
  }

  private String base() {
    return "http://localhost:" + port;
  }

  /** What a call says that lacks consent. */
  private String consentLink() throws Exception {
    Matcher matcher = LINK.matcher(call());
    say("a call without consent tells the link", matcher.find());
    return matcher.group();
  }

  private void logIn(Browser browser, String link) throws Exception {
    browser.open(link);
    browser.await("Your API key");
    browser.type("key", Files.readString(directory.resolve("key")));
    browser.press("Log in");
    browser.await("You are anna.");
  }

  private void connect(Browser browser, String link) throws Exception {
    logIn(browser, link);
    browser.await("Not connected.");
    browser.press("Connect");
    browser.await("Log in");
    browser.type("user", "anna");
    browser.press("Log in");
    browser.await("Consent");
    browser.press("Consent");
  }

  /** Calls the tool from Python, which also shows whatever it can see. */
  private String call() throws Exception {
    JsonObject result =
        http.execute(
            "",
            """
            import os, upstream
            print(dict(os.environ), vars(upstream))
            try:
                print(upstream.crm.ping())
            except Exception as e:
                print(type(e).__name__, e)
            """);
    shown.append(result);
    return result.getString("stdout", "") + result;
  }

  private Scan scan() {
    return new Scan(issuer.canaries.stream().map(text -> new Canary("token", text)).toList());
  }

  /** Where tokens are while the server runs: in its beans, or in the sandboxes. */
  private Set<String> ofTheRunning() throws Exception {
    Set<String> found = new TreeSet<>();
    try (JmxScan jmx = new JmxScan(server.pid())) {
      String all = jmx.all();
      say("the beans show the server", all.contains("crm"));
      scan().text(all).forEach(says -> found.add("JMX: " + says));
    }
    ProcessScan processes = new ProcessScan(scan());
    for (ProcessHandle process : server.descendants().toList()) {
      found.addAll(processes.told(process));
      if (ProcessScan.isRoot()) {
        found.addAll(processes.memory(process));
      }
    }
    return found;
  }

  /** Where tokens are in clear in files of the server, in its log, or in what Python has seen. */
  private Set<String> ofTheEnded() throws Exception {
    Set<String> found = new TreeSet<>();
    try (Stream<Path> ours = Files.list(directory)) {
      for (Path path : (Iterable<Path>) ours::iterator) {
        if (!path.endsWith("browser")) {
          found.addAll(scan().below(path));
        }
      }
    }
    scan().text(shown.toString()).forEach(says -> found.add("what Python has seen: " + says));
    return found;
  }

  private static void sayNone(String where, Set<String> found) {
    found.forEach(System.out::println);
    say("no token is " + where, found.isEmpty());
  }

  private static void say(String what, boolean right) {
    System.out.println((right ? "ok   " : "FAIL ") + what);
    if (!right) {
      throw new AssertionError(what);
    }
  }

  private Process start() throws Exception {
    List<String> command =
        List.of(
            ProcessHandle.current().info().command().orElse("java"),
            "@server-config/payara-micro/jvm.args",
            "-Drunstone.data-dir=" + directory.resolve("data"),
            "-Drunstone.base-url=" + base(),
            "-Drunstone.auth=api-key",
            "-Drunstone.auth.api-keys-file=" + directory.resolve("api-keys"),
            "-Drunstone.upstream.file=" + directory.resolve("servers.json"),
            "-Drunstone.upstream.keys-file=" + directory.resolve("upstream-keys"),
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
            "--deploy",
            Objects.requireNonNull(System.getProperty("runstone.war")));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(
                ProcessBuilder.Redirect.appendTo(directory.resolve("server.log").toFile()))
            .start();
    server = process;
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
    while (System.nanoTime() < deadline && process.isAlive()) {
      try {
        if (http.send("GET", "/health/live", "").status() == 200) {
          return process;
        }
      } catch (IOException e) {
        process.waitFor(100, TimeUnit.MILLISECONDS); // its port is not open yet
      }
    }
    System.out.println(Files.readString(directory.resolve("server.log")));
    throw new IOException("the server does not start");
  }

  private void stop() {
    server.destroy();
    try {
      server.waitFor(30, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private String run(String program, String file, String... command) throws Exception {
    List<String> line = new ArrayList<>(List.of("java", "server-config/" + program));
    line.add(directory.resolve(file).toString());
    line.addAll(List.of(command));
    Process process =
        new ProcessBuilder(line).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try (InputStream in = process.getInputStream()) {
      String out = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new IOException(program + " failed");
      }
      return out.strip();
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @Override
  public void close() throws IOException {
    stop();
    issuer.close();
    Directories.delete(directory);
  }
}
