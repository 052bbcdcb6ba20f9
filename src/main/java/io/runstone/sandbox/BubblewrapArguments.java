package io.runstone.sandbox;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Renders a view for {@code bwrap --args}; pure and stateless. Given in a file and not as
 * arguments, because PID 1 inside is a fork of it whose {@code /proc/1/cmdline} would show the
 * host's paths.
 */
final class BubblewrapArguments {
  /** Where {@link LaunchCommand} opens the arguments, the filter and the first of the texts. */
  static final int ARGUMENTS_FD = 3;

  static final int SECCOMP_FD = 4;
  static final int FIRST_TEXT_FD = 5;

  // --as-pid-1: otherwise bwrap itself is PID 1 inside and holds the protocol's pipes, readable by
  // everyone through /proc/1/fd. The supervisor reaps and protects itself.
  private static final List<String> FIXED =
      List.of(
          "--unshare-user",
          "--unshare-pid",
          "--unshare-ipc",
          "--unshare-uts",
          "--unshare-net",
          "--unshare-cgroup-try",
          "--disable-userns",
          "--die-with-parent",
          "--new-session",
          "--as-pid-1",
          "--cap-drop",
          "ALL");

  private BubblewrapArguments() {}

  /** The arguments up to and without the program. */
  static List<String> render(
      List<ViewStep> steps, Map<String, String> environment, Path workingDirectory) {
    List<String> arguments = new ArrayList<>(FIXED);
    arguments.addAll(List.of("--uid", Integer.toString(SandboxView.UID)));
    arguments.addAll(List.of("--gid", Integer.toString(SandboxView.GID)));
    arguments.addAll(List.of("--hostname", SandboxView.HOST_NAME));
    int fd = FIRST_TEXT_FD;
    for (ViewStep step : steps) {
      arguments.addAll(step(step, fd));
      fd += step instanceof ViewStep.Text ? 1 : 0;
    }
    arguments.add("--clearenv");
    environment.forEach((name, value) -> arguments.addAll(List.of("--setenv", name, value)));
    arguments.addAll(List.of("--chdir", workingDirectory.toString()));
    arguments.addAll(List.of("--seccomp", Integer.toString(SECCOMP_FD)));
    return List.copyOf(arguments);
  }

  /** The form of a file of arguments: each ends with a zero byte. */
  static byte[] bytes(List<String> arguments) {
    StringBuilder text = new StringBuilder();
    arguments.forEach(argument -> text.append(argument).append('\0'));
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static List<String> step(ViewStep step, int fd) {
    String at = step.at().toString();
    if (step instanceof ViewStep.Link link) {
      return List.of("--symlink", link.target().toString(), at);
    } else if (step instanceof ViewStep.Bind bind) {
      return List.of(bind.writable() ? "--bind" : "--ro-bind", bind.source().toString(), at);
    } else if (step instanceof ViewStep.Memory memory) {
      List<String> tmpfs = new ArrayList<>(List.of("--perms", memory.mode()));
      if (memory.bytes() > 0) {
        tmpfs.addAll(List.of("--size", Long.toString(memory.bytes())));
      }
      tmpfs.addAll(List.of("--tmpfs", at));
      return tmpfs;
    } else if (step instanceof ViewStep.Text) {
      return List.of("--perms", "0644", "--file", Integer.toString(fd), at);
    } else if (step instanceof ViewStep.Processes) {
      return List.of("--proc", at);
    } else if (step instanceof ViewStep.Devices) {
      return List.of("--dev", at);
    } else {
      return List.of("--remount-ro", at);
    }
  }
}
