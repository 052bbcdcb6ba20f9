package io.runstone.kernel.local;

import io.runstone.config.Settings;
import io.runstone.kernel.ExecuteRequest;
import io.runstone.kernel.HostReply;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** The messages that a supervisor understands. Pure. */
final class Commands {
  private Commands() {}

  /** The first message: what kernel this is to be. */
  static Map<String, ?> settings(Settings.Kernel kernel, boolean pidNamespace) {
    return Map.of(
        "type",
        "init",
        "pid_namespace",
        pidNamespace,
        "shell",
        kernel.shell(),
        "preload",
        kernel.preload(),
        "limits",
        Map.of(
            "address_space", kernel.addressSpaceBytes(),
            "processes", kernel.processes(),
            "open_files", kernel.openFiles(),
            "file_bytes", kernel.fileBytes(),
            "core", 0));
  }

  /** Run a cell, if that worker is still the one. */
  static Map<String, ?> execute(long cell, long worker, ExecuteRequest request) {
    return Map.of(
        "type",
        "execute",
        "id",
        cell,
        "worker",
        worker,
        "code",
        request.code(),
        "may_write",
        request.mayWrite());
  }

  /** Interrupt a cell, if it still runs, and kill it after the grace. */
  static Map<String, ?> interrupt(long cell, Duration grace) {
    return Map.of("type", "interrupt", "id", cell, "grace_seconds", grace.toMillis() / 1000.0);
  }

  /** The host's reply to a call of a cell. */
  static Map<String, ?> reply(long cell, long call, HostReply reply) {
    Map<String, Object> message = new LinkedHashMap<>();
    message.put("type", "reply");
    message.put("id", cell);
    message.put("call", call);
    message.put("ok", reply instanceof HostReply.Answer);
    if (reply instanceof HostReply.Answer answer) {
      message.put("body", sayable(answer.json()));
    } else if (reply instanceof HostReply.Refusal refusal) {
      message.put("kind", refusal.kind());
      message.put("message", sayable(refusal.message()));
      message.put("link", refusal.link().map(URI::toString).orElse(null));
    }
    return message;
  }

  /** UTF-8 can't say half a surrogate pair, which JSON of an upstream can hold as an escape. */
  private static String sayable(String text) {
    return text.chars().anyMatch(c -> Character.isSurrogate((char) c))
        ? new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8)
        : text;
  }
}
