package io.runstone.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.function.UnaryOperator;

/**
 * Turns configuration values into {@link Settings}. Pure: the source of values is passed in.
 *
 * <p>A value that can't be used is an {@link IllegalArgumentException} that names the key, the
 * value and what is expected; there is no silent fallback to a default.
 */
final class SettingsReader extends ConfigValues {
  private static final long MIB = 1024L * 1024;

  private final UnaryOperator<String> source;
  private final Defaults defaults;

  /**
   * What depends on the machine rather than on the product.
   *
   * @param dataDirectory where data lies unless configured
   * @param searchPath the {@code PATH} of the server
   */
  record Defaults(Path dataDirectory, String searchPath) {}

  SettingsReader(UnaryOperator<String> values, Defaults defaults) {
    super(values);
    this.source = values;
    this.defaults = defaults;
  }

  Settings read() {
    return new Settings(
        http(),
        sessions(),
        execution(),
        outputs(),
        kernel(),
        quota(),
        workspace(),
        sandbox(),
        mcp(),
        new AuthReader(source).read(),
        audit(),
        upstream());
  }

  private Settings.Upstream upstream() {
    return new Settings.Upstream(
        text("runstone.upstream.file").map(value -> path("runstone.upstream.file", value)),
        text("runstone.upstream.keys-file")
            .map(value -> path("runstone.upstream.keys-file", value)),
        clientMetadata(),
        (int) number("runstone.upstream.max-sessions", 1000, 1, 1_000_000),
        (int) number("runstone.upstream.sessions-per-user", 100, 1, 1_000_000),
        (int) number("runstone.upstream.sessions-per-server", 500, 1, 1_000_000),
        duration("runstone.upstream.idle-timeout", Duration.ofMinutes(10)),
        duration("runstone.upstream.call-timeout", Duration.ofSeconds(60)),
        (int) number("runstone.upstream.max-result-bytes", 4 * MIB, 1024, 8 * MIB),
        (int) number("runstone.upstream.calls-per-execution", 10_000, 1, 100_000_000),
        (int) number("runstone.upstream.parallel-calls", 64, 1, 1000));
  }

  private boolean clientMetadata() {
    String key = "runstone.upstream.client-metadata";
    boolean wanted = oneOf(key, "false", "true").equals("true");
    if (wanted && !text("runstone.base-url").orElse("").startsWith("https://")) {
      throw bad(key, "true", "runstone.base-url to be an https address that others reach");
    }
    return wanted;
  }

  private Settings.Http http() {
    return new Settings.Http(
        text("runstone.base-url"),
        hosts("runstone.hosts"),
        (int) number("runstone.http.max-body-bytes", 4 * MIB, 1024, 256 * MIB),
        duration("runstone.http.body-timeout", Duration.ofSeconds(30)));
  }

  private Settings.Sessions sessions() {
    return new Settings.Sessions(
        (int) number("runstone.sessions.per-user", 5, 1, 100_000),
        (int) number("runstone.sessions.per-node", 64, 1, 100_000),
        (int) number("runstone.sessions.queue-length", 16, 1, 10_000),
        duration("runstone.sessions.idle-timeout", Duration.ofMinutes(30)),
        duration("runstone.sessions.max-lifetime", Duration.ofHours(24)),
        duration("runstone.sessions.drain-timeout", Duration.ofSeconds(5)));
  }

  private Settings.Execution execution() {
    Duration max = duration("runstone.execution.max-timeout", Duration.ofHours(1));
    Duration timeout = duration("runstone.execution.timeout", Duration.ofMinutes(5));
    if (timeout.compareTo(max) > 0) {
      throw bad("runstone.execution.timeout", timeout.toString(), "at most max-timeout, " + max);
    }
    return new Settings.Execution(
        timeout,
        max,
        duration("runstone.execution.interrupt-grace", Duration.ofSeconds(2)),
        duration("runstone.execution.watch-interval", Duration.ofMillis(250)));
  }

  private Settings.Outputs outputs() {
    return new Settings.Outputs(
        (int) number("runstone.outputs.kept-bytes", MIB, 1024, 64 * MIB),
        number("runstone.outputs.max-chars", 256 * MIB, 1024, Long.MAX_VALUE),
        number("runstone.outputs.max-rich-chars", 16 * MIB, 1024, 1024 * MIB),
        number("runstone.outputs.max-file-bytes", 64 * MIB, 1024, Long.MAX_VALUE),
        number("runstone.outputs.stored-bytes", 64 * MIB, 1024, Long.MAX_VALUE),
        number("runstone.outputs.stored-file-bytes", 1024 * MIB, 1024, Long.MAX_VALUE),
        (int) number("runstone.outputs.shown-chars", 60_000, 1000, 64 * MIB));
  }

  private Settings.Kernel kernel() {
    return new Settings.Kernel(
        text("runstone.kernel.python").map(value -> path("runstone.kernel.python", value)),
        duration("runstone.kernel.start-timeout", Duration.ofSeconds(30)),
        number("runstone.kernel.address-space-bytes", 4096 * MIB, 64 * MIB, Long.MAX_VALUE),
        (int) number("runstone.kernel.processes", 128, 4, 1_000_000),
        (int) number("runstone.kernel.open-files", 1024, 64, 1_000_000),
        number("runstone.kernel.file-bytes", 1024 * MIB, MIB, Long.MAX_VALUE),
        number("runstone.kernel.tmp-bytes", 256 * MIB, MIB, Long.MAX_VALUE),
        number("runstone.kernel.memory-bytes", 2048 * MIB, 64 * MIB, Long.MAX_VALUE),
        (int) number("runstone.kernel.cpu-weight", 100, 1, 10_000),
        oneOf("runstone.kernel.shell", "python", "ipython"),
        modules("runstone.kernel.preload"),
        (int) number("runstone.kernel.warm", 1, 0, 1000),
        (int) number("runstone.kernel.warm-total", 8, 0, 10_000),
        number("runstone.kernel.warm-bytes", 512 * MIB, MIB, Long.MAX_VALUE),
        duration("runstone.kernel.warm-max-age", Duration.ofMinutes(10)));
  }

  private Settings.Quota quota() {
    return new Settings.Quota(
        number("runstone.quota.executions-per-hour", 0, 0, Long.MAX_VALUE),
        number("runstone.quota.cpu-seconds-per-hour", 0, 0, Long.MAX_VALUE),
        number("runstone.quota.output-chars-per-hour", 0, 0, Long.MAX_VALUE),
        (int) number("runstone.quota.requests-per-second", 0, 0, 1_000_000),
        number("runstone.quota.memory-bytes", 0, 0, Long.MAX_VALUE));
  }

  private Settings.Workspace workspace() {
    return new Settings.Workspace(
        number("runstone.workspace.max-bytes", 2048 * MIB, 4096, Long.MAX_VALUE),
        number("runstone.workspace.min-free-bytes", 512 * MIB, 0, Long.MAX_VALUE));
  }

  private Settings.Sandbox sandbox() {
    return new Settings.Sandbox(
        text("runstone.sandbox").orElse("auto"),
        oneOf("runstone.sandbox.control-groups", "auto", "off").equals("auto"),
        number("runstone.sandbox.uid", 60_800, 1, 4_294_967_293L),
        (int) number("runstone.sandbox.uids", 300, 1, 1_000_000),
        number("runstone.sandbox.gid", 60_800, 1, 4_294_967_293L),
        dataDirectory(),
        defaults.searchPath());
  }

  private Path dataDirectory() {
    return text("runstone.data-dir")
        .map(value -> path("runstone.data-dir", value))
        .orElse(defaults.dataDirectory());
  }

  private Settings.Audit audit() {
    return new Settings.Audit(
        oneOf("runstone.audit", "on", "off").equals("on"),
        text("runstone.audit.file")
            .map(value -> path("runstone.audit.file", value))
            .orElseGet(() -> dataDirectory().resolve("audit").resolve("audit.log")),
        number("runstone.audit.max-bytes", 64 * MIB, MIB, Long.MAX_VALUE),
        (int) number("runstone.audit.max-files", 20, 2, 100_000),
        oneOf("runstone.audit.sync", "false", "true").equals("true"),
        oneOf("runstone.audit.required", "true", "false").equals("true"));
  }

  private Settings.Mcp mcp() {
    return new Settings.Mcp(
        duration("runstone.mcp.idle-timeout", Duration.ofMinutes(30)),
        (int) number("runstone.mcp.max-sessions", 2000, 1, 1_000_000),
        (int) number("runstone.mcp.sessions-per-user", 1000, 1, 1_000_000),
        duration("runstone.mcp.resume-window", Duration.ofMillis(700)),
        number("runstone.mcp.replay-chars", 16 * MIB, 1024, Long.MAX_VALUE));
  }
}
