package io.runstone.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pins every key, its default and its bounds. */
class SettingsReaderTest {
  private static final SettingsReader.Defaults DEFAULTS =
      new SettingsReader.Defaults(Path.of("/data"), "/bin");

  private static Settings read(Map<String, String> values) {
    return new SettingsReader(values::get, DEFAULTS).read();
  }

  @Test
  void defaults() {
    assertThat(read(Map.of()))
        .isEqualTo(
            new Settings(
                new Settings.Http(
                    Optional.empty(), Set.of(), 4 * 1024 * 1024, Duration.ofSeconds(30)),
                new Settings.Sessions(
                    5, 64, 16, Duration.ofMinutes(30), Duration.ofHours(24), Duration.ofSeconds(5)),
                new Settings.Execution(
                    Duration.ofMinutes(5),
                    Duration.ofHours(1),
                    Duration.ofSeconds(2),
                    Duration.ofMillis(250)),
                new Settings.Outputs(
                    1 << 20, 256L << 20, 16L << 20, 64L << 20, 64L << 20, 1L << 30, 60_000),
                new Settings.Kernel(
                    Optional.empty(),
                    Duration.ofSeconds(30),
                    4L << 30,
                    128,
                    1024,
                    1L << 30,
                    256L << 20,
                    2L << 30,
                    100,
                    "python",
                    List.of(),
                    1,
                    8,
                    512L << 20,
                    Duration.ofMinutes(10)),
                new Settings.Quota(0, 0, 0, 0, 0),
                new Settings.Workspace(2L << 30, 512L << 20),
                new Settings.Sandbox("auto", true, 60_800, 300, 60_800, Path.of("/data"), "/bin"),
                new Settings.Mcp(
                    Duration.ofMinutes(30), 2000, 1000, Duration.ofMillis(700), 16L << 20),
                new AuthSettings.None(false),
                new Settings.Audit(
                    true, Path.of("/data/audit/audit.log"), 64L << 20, 20, false, true),
                new Settings.Upstream(
                    Optional.empty(),
                    Optional.empty(),
                    false,
                    1000,
                    100,
                    500,
                    Duration.ofMinutes(10),
                    Duration.ofSeconds(60),
                    4 << 20,
                    10_000,
                    64)));
  }

  @Test
  void everyKeyIsRead() {
    Settings settings =
        read(
            Map.ofEntries(
                Map.entry("runstone.base-url", "https://localhost:1"),
                Map.entry("runstone.upstream.client-metadata", "true"),
                Map.entry("runstone.hosts", "A.example, b.example,"),
                Map.entry("runstone.http.max-body-bytes", "2048"),
                Map.entry("runstone.http.body-timeout", "PT9S"),
                Map.entry("runstone.sessions.per-user", "1"),
                Map.entry("runstone.sessions.per-node", "2"),
                Map.entry("runstone.sessions.queue-length", "3"),
                Map.entry("runstone.sessions.idle-timeout", "PT4S"),
                Map.entry("runstone.sessions.max-lifetime", "PT5S"),
                Map.entry("runstone.sessions.drain-timeout", "PT5.5S"),
                Map.entry("runstone.execution.timeout", "PT6S"),
                Map.entry("runstone.execution.max-timeout", "PT7S"),
                Map.entry("runstone.execution.interrupt-grace", "PT8S"),
                Map.entry("runstone.execution.watch-interval", "PT8.5S"),
                Map.entry("runstone.outputs.kept-bytes", "2001"),
                Map.entry("runstone.outputs.max-chars", "2002"),
                Map.entry("runstone.outputs.max-rich-chars", "2003"),
                Map.entry("runstone.outputs.max-file-bytes", "2004"),
                Map.entry("runstone.outputs.stored-bytes", "2005"),
                Map.entry("runstone.outputs.stored-file-bytes", "2006"),
                Map.entry("runstone.outputs.shown-chars", "2007"),
                Map.entry("runstone.kernel.python", "/opt/python"),
                Map.entry("runstone.kernel.start-timeout", "PT10S"),
                Map.entry("runstone.kernel.address-space-bytes", "1100000000"),
                Map.entry("runstone.kernel.processes", "12"),
                Map.entry("runstone.kernel.open-files", "130"),
                Map.entry("runstone.kernel.file-bytes", "14000000"),
                Map.entry("runstone.kernel.tmp-bytes", "15000000"),
                Map.entry("runstone.kernel.memory-bytes", "150000000"),
                Map.entry("runstone.kernel.cpu-weight", "151"),
                Map.entry("runstone.quota.executions-per-hour", "301"),
                Map.entry("runstone.quota.cpu-seconds-per-hour", "302"),
                Map.entry("runstone.quota.output-chars-per-hour", "303"),
                Map.entry("runstone.quota.requests-per-second", "304"),
                Map.entry("runstone.quota.memory-bytes", "305"),
                Map.entry("runstone.workspace.max-bytes", "15200000"),
                Map.entry("runstone.workspace.min-free-bytes", "153"),
                Map.entry("runstone.kernel.shell", "ipython"),
                Map.entry("runstone.kernel.preload", "numpy, matplotlib.pyplot"),
                Map.entry("runstone.kernel.warm", "3"),
                Map.entry("runstone.kernel.warm-total", "4"),
                Map.entry("runstone.kernel.warm-bytes", "9000000"),
                Map.entry("runstone.kernel.warm-max-age", "PT5S"),
                Map.entry("runstone.sandbox", " none "),
                Map.entry("runstone.sandbox.uid", "16"),
                Map.entry("runstone.sandbox.uids", "18"),
                Map.entry("runstone.sandbox.gid", "17"),
                Map.entry("runstone.sandbox.control-groups", "off"),
                Map.entry("runstone.data-dir", "/d"),
                Map.entry("runstone.mcp.idle-timeout", "PT18S"),
                Map.entry("runstone.mcp.max-sessions", "19"),
                Map.entry("runstone.mcp.sessions-per-user", "20"),
                Map.entry("runstone.mcp.resume-window", "PT21S"),
                Map.entry("runstone.mcp.replay-chars", "2200"),
                Map.entry("runstone.auth", "container"),
                Map.entry("runstone.audit", "off"),
                Map.entry("runstone.audit.file", "/a/b"),
                Map.entry("runstone.audit.max-bytes", "2300000"),
                Map.entry("runstone.audit.max-files", "24"),
                Map.entry("runstone.audit.sync", "true"),
                Map.entry("runstone.audit.required", "false"),
                Map.entry("runstone.upstream.file", "/u/s"),
                Map.entry("runstone.upstream.keys-file", "/u/k"),
                Map.entry("runstone.upstream.max-sessions", "25"),
                Map.entry("runstone.upstream.sessions-per-user", "26"),
                Map.entry("runstone.upstream.sessions-per-server", "27"),
                Map.entry("runstone.upstream.idle-timeout", "PT28S"),
                Map.entry("runstone.upstream.call-timeout", "PT29S"),
                Map.entry("runstone.upstream.max-result-bytes", "3000"),
                Map.entry("runstone.upstream.calls-per-execution", "31"),
                Map.entry("runstone.upstream.parallel-calls", "32")));
    assertThat(settings)
        .isEqualTo(
            new Settings(
                new Settings.Http(
                    Optional.of("https://localhost:1"),
                    Set.of("a.example", "b.example"),
                    2048,
                    Duration.ofSeconds(9)),
                new Settings.Sessions(
                    1, 2, 3, Duration.ofSeconds(4), Duration.ofSeconds(5), Duration.ofMillis(5500)),
                new Settings.Execution(
                    Duration.ofSeconds(6),
                    Duration.ofSeconds(7),
                    Duration.ofSeconds(8),
                    Duration.ofMillis(8500)),
                new Settings.Outputs(2001, 2002, 2003, 2004, 2005, 2006, 2007),
                new Settings.Kernel(
                    Optional.of(Path.of("/opt/python")),
                    Duration.ofSeconds(10),
                    1_100_000_000,
                    12,
                    130,
                    14_000_000,
                    15_000_000,
                    150_000_000,
                    151,
                    "ipython",
                    List.of("numpy", "matplotlib.pyplot"),
                    3,
                    4,
                    9_000_000,
                    Duration.ofSeconds(5)),
                new Settings.Quota(301, 302, 303, 304, 305),
                new Settings.Workspace(15_200_000, 153),
                new Settings.Sandbox("none", false, 16, 18, 17, Path.of("/d"), "/bin"),
                new Settings.Mcp(Duration.ofSeconds(18), 19, 20, Duration.ofSeconds(21), 2200),
                new AuthSettings.Container(),
                new Settings.Audit(false, Path.of("/a/b"), 2_300_000, 24, true, false),
                new Settings.Upstream(
                    Optional.of(Path.of("/u/s")),
                    Optional.of(Path.of("/u/k")),
                    true,
                    25,
                    26,
                    27,
                    Duration.ofSeconds(28),
                    Duration.ofSeconds(29),
                    3000,
                    31,
                    32)));
  }

  @ParameterizedTest
  @CsvSource({
    "runstone.sessions.per-user,five",
    "runstone.sessions.per-user,0",
    "runstone.sessions.per-node,-1",
    "runstone.sessions.idle-timeout,30m",
    "runstone.sessions.idle-timeout,PT0S",
    "runstone.sessions.max-lifetime,-PT1S",
    "runstone.execution.timeout,PT2H",
    "runstone.kernel.memory-bytes,1000",
    "runstone.kernel.cpu-weight,0",
    "runstone.kernel.cpu-weight,10001",
    "runstone.workspace.min-free-bytes,-1",
    "runstone.sandbox.uid,0",
    "runstone.data-dir,relative/path",
    "runstone.kernel.python,python3",
    "runstone.kernel.preload,os;import x",
    "runstone.kernel.shell,bash",
    "runstone.upstream.client-metadata,true",
    "runstone.audit,yes",
    "runstone.audit.file,audit.log",
    "runstone.audit.max-bytes,1000",
    "runstone.audit.max-files,1",
    "runstone.audit.required,no",
    "runstone.http.max-body-bytes,99999999999"
  })
  void aValueThatCantBeUsedIsRefusedWithItsKey(String key, String value) {
    assertThatThrownBy(() -> read(Map.of(key, value)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(key + "=")
        .hasMessageContaining("expected");
  }

  @Test
  void theReferenceListsEveryKeyAndNoOther() throws IOException {
    Pattern key = Pattern.compile("\"(runstone\\.[a-z.-]+)\"");
    Set<String> inCode = new TreeSet<>();
    for (String reader : List.of("SettingsReader", "AuthReader")) {
      Path source = Path.of("src/main/java/io/runstone/config", reader + ".java");
      key.matcher(Files.readString(source)).results().forEach(match -> inCode.add(match.group(1)));
    }
    Pattern row = Pattern.compile("(?m)^\\| `(runstone\\.[a-z.-]+)` \\|");
    Set<String> inReference =
        row.matcher(Files.readString(Path.of("docs/reference/configuration.md")))
            .results()
            .map(match -> match.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(inReference).isEqualTo(inCode);
  }
}
