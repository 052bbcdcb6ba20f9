package io.runstone.sandbox;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A process to start; immutable. The factories are pure.
 *
 * @param words program and arguments
 * @param environment all variables of the process
 * @param plan what it reads first, before its input belongs to the program
 */
record LaunchCommand(
    List<String> words, Map<String, String> environment, Optional<LauncherPlan> plan) {
  // ProcessBuilder passes descriptors 0 to 2 only; "exec" so that no shell stays in between. They
  // are opened before privileges are dropped, since the files are readable for the server only.
  private static final String OPEN_FILES =
      "exec "
          + (BubblewrapArguments.ARGUMENTS_FD + "<\"$1\" ")
          + (BubblewrapArguments.SECCOMP_FD + "<\"$2\" ")
          + (BubblewrapArguments.FIRST_TEXT_FD + "<\"$3\" ")
          + ((BubblewrapArguments.FIRST_TEXT_FD + 1) + "<\"$4\"; shift 4; exec \"$@\"");
  // Its own id, which every exec keeps. Before privileges are dropped, as only the server may write
  // there; a sandbox that cannot be put under its limits does not start. The first write after a
  // pause
  // takes some 10 ms: the kernel waits until every processor has seen that tasks are moved.
  private static final String JOIN =
      "while [ \"$1\" != -- ]; do echo $$ >\"$1\" || exit 71; shift; done; shift; ";
  private static final String STAGE =
      "mount -t tmpfs -o mode=755,size=64k,nosuid,nodev tmpfs "
          + Staging.BASE
          + "\n"
          + "while [ \"$1\" != -- ]; do\n"
          + "mkdir \"$2\"; mount --rbind \"$1\" \"$2\"; shift 2\n"
          + "done\n"
          + "shift; exec \"$@\"";

  LaunchCommand {
    words = List.copyOf(words);
    environment = Map.copyOf(environment);
  }

  /**
   * The programs of the host a start needs.
   *
   * @param shell always
   * @param bwrap at level bubblewrap
   * @param setpriv where the server is root
   * @param unshare where directories have to be staged
   * @param searchPath where the shell finds mount and mkdir
   */
  record Tools(Path shell, Path bwrap, Path setpriv, Path unshare, String searchPath) {}

  /**
   * With bubblewrap.
   *
   * @param files those of descriptors 3 to 6: arguments, filter, passwd and group
   * @param groups entrances of the control groups to join; may be none
   */
  static LaunchCommand bubblewrap(
      LaunchMark mark,
      Tools tools,
      List<Long> drop,
      List<Staging.Move> moves,
      List<Path> files,
      List<Path> groups,
      Interpreter interpreter) {
    List<String> words = new ArrayList<>(joined(tools.shell(), groups, OPEN_FILES));
    files.forEach(file -> words.add(file.toString()));
    if (!moves.isEmpty()) {
      words.addAll(List.of(tools.unshare().toString(), "--mount", "--propagation", "private"));
      words.addAll(List.of("--", tools.shell().toString(), "-ec", STAGE, "sh"));
      moves.forEach(move -> words.addAll(List.of(move.from().toString(), move.to().toString())));
      words.add("--");
    }
    if (!drop.isEmpty()) {
      // Run by root bwrap would keep its power over what /proc/sys and files of uid 0 allow.
      words.addAll(List.of(tools.setpriv().toString(), "--reuid", drop.get(0).toString()));
      words.addAll(List.of("--regid", drop.get(1).toString(), "--clear-groups"));
      words.addAll(List.of("--no-new-privs", "--"));
    }
    words.addAll(List.of(tools.bwrap().toString(), "--args"));
    words.addAll(List.of(Integer.toString(BubblewrapArguments.ARGUMENTS_FD), "--"));
    // -S as in the other level, where this process has to start fast; whoever needs packages
    // imports site.
    words.addAll(List.of(interpreter.executable().toString(), "-I", "-S"));
    words.add(SandboxView.RUNNER.resolve(SandboxView.PROGRAM).toString());
    Map<String, String> environment =
        Map.of("PATH", tools.searchPath(), LaunchMark.VARIABLE, mark.value());
    return new LaunchCommand(words, environment, Optional.empty());
  }

  /**
   * With {@code launcher.py}, named relative to the working directory, since the program inside
   * shows this command in {@code /proc/1/cmdline}.
   */
  static LaunchCommand launcher(
      Interpreter interpreter, Map<String, String> environment, LauncherPlan plan) {
    return new LaunchCommand(
        List.of(interpreter.executable().toString(), "-I", "-S", LaunchDirectory.LAUNCHER),
        environment,
        Optional.of(plan));
  }

  /**
   * The same in control groups. By way of {@code env}, since shells add variables of their own,
   * which would be the program's.
   *
   * @param groups entrances of the control groups to join; if none, this is returned
   */
  LaunchCommand in(List<Path> groups, Path shell, Path env) {
    if (groups.isEmpty()) {
      return this;
    }
    List<String> inside = new ArrayList<>(joined(shell, groups, "exec \"$@\""));
    inside.addAll(List.of(env.toString(), "-i"));
    environment.forEach((name, value) -> inside.add(name + "=" + value));
    inside.addAll(words);
    return new LaunchCommand(inside, Map.of(), plan);
  }

  /** A shell that joins control groups and then does a script; it takes further arguments. */
  static List<String> joined(Path shell, List<Path> groups, String script) {
    String join = groups.isEmpty() ? "" : JOIN;
    List<String> words = new ArrayList<>(List.of(shell.toString(), "-c", join + script, "sh"));
    if (!groups.isEmpty()) {
      groups.forEach(group -> words.add(group.toString()));
      words.add("--");
    }
    return List.copyOf(words);
  }
}
