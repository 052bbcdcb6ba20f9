package io.runstone.security.canary;

import static org.assertj.core.api.Assertions.assertThat;

import io.runstone.testing.Directories;
import io.runstone.testing.Http;
import io.runstone.testing.McpClient;
import io.runstone.testing.Requirements;
import io.runstone.testing.canary.JmxScan;
import io.runstone.testing.canary.ProcessScan;
import io.runstone.testing.canary.Scan;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * 500 hostile programs of two users look for the server's secrets, and a scan looks for them in all
 * that the programs, the users and the administrator can see. The same scan finds what is planted.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CanaryIT {
  private static final int PROGRAMS = 500;

  private final Canaries canaries = new Canaries();
  private final Scan secrets = new Scan(canaries.secrets());
  private final Scan hiddenFromCode = new Scan(canaries.hiddenFromCode());
  private final Scan control = new Scan(List.of(canaries.control));
  private SecretUpstream upstream;
  private CanaryServer server;
  private HostilePrograms programs;
  private Hunters hunters;
  private String jmx = "";
  private Http.Answer planted;
  private Path work;

  @BeforeAll
  void hunt() throws Exception {
    upstream = new SecretUpstream(canaries.upstream, canaries.session, canaries.address);
    work = Files.createTempDirectory("canary");
    Files.setPosixFilePermissions(work, PosixFilePermissions.fromString("rwx--x--x"));
    Path outside = Files.createDirectory(work.resolve("outside"));
    Files.writeString(outside.resolve("kept"), canaries.property.text());
    server = new CanaryServer(work, canaries, upstream.url());
    programs =
        new HostilePrograms(
            Map.of(
                "SECRETS",
                server.secrets.toString(),
                "DATA",
                server.data.toString(),
                "OUTSIDE",
                outside.toString(),
                "SERVER_PORT",
                String.valueOf(server.port()),
                "UPSTREAM_PORT",
                String.valueOf(upstream.port())));
    hunters = new Hunters(programs);
    Http anna =
        server.http(Map.of("Authorization", "Bearer " + server.annasKey(), "Cookie", cookie()));
    Http bert = server.http(Map.of("X-API-Key", server.bertsKey(), "Cookie", cookie()));
    try (JmxScan scan = new JmxScan(server.process().pid())) {
      hunters.run(PROGRAMS, List.of(anna, bert));
      planted = anna.send("POST", "/execute", Http.order("hunt", plant()));
      bert.execute("hunt", "import upstream\nupstream.vault.tools()");
      jmx = scan.all();
    }
  }

  private String cookie() {
    return "session=" + canaries.cookie.text();
  }

  private String plant() {
    return "control = '%s'\nopen('/app/uploads/control', 'w').write(control)\nprint(control)"
        .formatted(canaries.control.text());
  }

  @AfterAll
  void end() throws Exception {
    server.close();
    upstream.close();
    try {
      assertThat(secrets.below(server.file("server.log"))).as("log, to its end").isEmpty();
      assertThat(hiddenFromCode.below(server.data)).as("files, after the end").isEmpty();
      assertThat(work.resolve("outside/kept")).as("what links lead to").isNotEmptyFile();
    } finally {
      Directories.delete(work); // with links that the programs have made
    }
  }

  @Test
  void everyHuntWasOnAndTheUpstreamAnsweredInEveryWay() {
    assertThat(hunters.answers).hasSizeGreaterThanOrEqualTo(PROGRAMS);
    assertThat(programs.names())
        .allSatisfy(
            name -> assertThat(hunters.answers).anyMatch(text -> text.contains("hunting " + name)));
    assertThat(upstream.calls.keySet()).containsAll(SecretUpstream.MODES);
    assertThat(upstream.wrong)
        .as("requests without the secret, or to where it is not for")
        .isEmpty();
  }

  @Test
  void noAnswerHasASecret() {
    for (String answer : hunters.answers) {
      assertThat(hiddenFromCode.text(answer)).as("%s", answer).isEmpty();
    }
    assertThat(control.text(planted.text())).isNotEmpty();
  }

  @Test
  void noRefusalHasASecret() throws Exception {
    String text = canaries.refused.text();
    String basic =
        Base64.getEncoder().encodeToString(("anna:" + text).getBytes(StandardCharsets.UTF_8));
    for (String path : List.of("/mcp", "/execute", "/v1/sessions/session", "/connections", "/no")) {
      for (String value :
          List.of(
              "Bearer " + text, "Basic " + basic, text, canaries.refused.apiKey("0a0a0a0a0a0a"))) {
        refuse(path, "Authorization", value);
        refuse(path, "X-API-Key", value);
        refuse(path, "Authorization", "Bearer " + server.annasKey(), "X-API-Key", value);
      }
      refuse(path, "Cookie", "token=" + text);
      refuse(path, "X-API-Key", text.repeat(400));
      refuse(path + "?access_token=" + text);
    }
  }

  /** Pages for browsers lead to the login; everything else is an error. */
  private void refuse(String path, String... headers) throws Exception {
    Http.Answer answer =
        server.http(Map.of("Accept", McpClient.ACCEPT)).send("POST", path, "", headers);
    assertThat(answer.status()).isBetween(300, 499);
    String all = answer.response().headers().map() + answer.text();
    assertThat(secrets.text(all)).as("%s", all).isEmpty();
  }

  @Test
  void noLogOrFileHasASecret() throws Exception {
    assertThat(secrets.below(server.file("server.log"))).isEmpty();
    assertThat(hiddenFromCode.below(server.data)).isEmpty();
    assertThat(control.below(server.data)).anyMatch(says -> says.contains("workspaces"));
    assertThat(server.data.resolve("audit/audit.log")).isNotEmptyFile();
    assertThat(server.file("server.log")).isNotEmptyFile();
    assertThat(new Scan(List.of(canaries.upstream)).below(server.secrets)).isNotEmpty();
    assertThat(new Scan(List.of(canaries.vaultKey)).below(server.secrets)).isNotEmpty();
  }

  @Test
  void jmxHasNoSecret() {
    assertThat(jmx).contains("SessionManager", "hunt", "vault", "anna", "bert");
    assertThat(secrets.text(jmx)).isEmpty();
  }

  @Test
  void noProcessIsToldASecret() throws Exception {
    ProcessScan scan = new ProcessScan(hiddenFromCode);
    Set<String> found = new TreeSet<>();
    for (ProcessHandle process : kernels()) {
      found.addAll(scan.told(process));
    }
    assertThat(found).isEmpty();
    assertThat(scan.told(server.process()))
        .anyMatch(says -> says.contains("environ: " + canaries.environment.name()))
        .anyMatch(says -> says.contains("cmdline: " + canaries.commandLine.name()));
  }

  @Test
  void noMemoryOfAKernelHasASecret() throws Exception {
    Requirements.need(
        "root",
        ProcessScan.isRoot()
            ? Optional.empty()
            : Optional.of("the memory of a supervisor is not for its user"));
    ProcessScan scan = new ProcessScan(hiddenFromCode);
    Set<String> found = new TreeSet<>();
    Set<String> controls = new TreeSet<>();
    for (ProcessHandle process : kernels()) {
      found.addAll(scan.memory(process));
      controls.addAll(new ProcessScan(control).memory(process));
    }
    assertThat(found).isEmpty();
    assertThat(controls).isNotEmpty();
    assertThat(scan.memory(server.process()))
        .anyMatch(says -> says.contains(canaries.upstream.name()))
        .anyMatch(says -> says.contains(canaries.environment.name()));
  }

  /** The processes of all sandboxes, those that keep them included. */
  private List<ProcessHandle> kernels() {
    List<ProcessHandle> all = new ArrayList<>(server.process().descendants().toList());
    assertThat(all).hasSizeGreaterThan(8);
    return all;
  }
}
